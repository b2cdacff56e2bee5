init {
  L: skip;
  L = 1;
  goto L
}
/*
expect: 3:3: error: 'L' is a label, not a variable
*/
