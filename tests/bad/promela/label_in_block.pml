/* expect: 6:5: error: label 'L' may not stand before the first statement of a block
** expect: 6:3: note: put it before the block
*/
init {
  skip;
  { L: skip; goto L }
}
