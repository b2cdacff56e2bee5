/* expect: 6:7: error: 'L' is already a label
** expect: 5:3: note: the label is used here
*/
init {
  L: skip;
  int L;
  goto L
}
