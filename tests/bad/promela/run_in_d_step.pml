/* expect: 8:17: error: 'run' cannot be used in a d_step
   expect: 9:23: error: 'run' cannot be used in a d_step
*/
proctype P() { skip }
init {
  int x;
  atomic { run P(); x = 1 };
  d_step { x = (run P()); x = 2 };
  atomic { d_step { { run P() }; x = 2 } }
}
