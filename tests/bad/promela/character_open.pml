init {
  int c;
  c = 'ab';
}
/*
expect: 3:7: error: the closing ' is missing
expect: 3:10: error: the closing ' is missing
*/
