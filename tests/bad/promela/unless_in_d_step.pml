/* expect: 5:22: error: 'unless' cannot be used in a d_step
*/
init {
  int x;
  d_step { { x = 1 } unless { x > 2 } }
}
