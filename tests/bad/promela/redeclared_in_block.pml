init {
  int x;
  x = 1;
  { int x; x = 2 }
}
/*
expect: 4:9: error: 'x' is already declared
expect: 2:7: note: declared here
*/
