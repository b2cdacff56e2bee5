init {
  int x;
  d_step { { x = 1 } unless { x > 2 } }
}
/*
expect: 3:22: error: 'unless' cannot be used in a d_step
*/
