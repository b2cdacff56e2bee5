init {
  L: skip;
  int L;
  goto L
}
/*
expect: 3:7: error: 'L' is already a label
expect: 2:3: note: the label is used here
*/
