init {
  x = 1;
  int x
}
/*
expect: 2:3: error: 'x' is not declared
*/
