init {
  L: skip;
  L: skip;
  goto L
}
/*
expect: 3:3: error: label 'L' is defined twice
expect: 2:3: note: the first definition
*/
