init {
  skip;
  { L: skip; goto L }
}
/*
expect: 3:5: error: label 'L' may not stand before the first statement of a block
expect: 3:3: note: put it before the block
*/
