init {
  int x;
  x = (1 + 2;
}
/*
expect: 3:13: error: expected ')', found ';'
expect: 3:7: note: to close what was opened here
*/
