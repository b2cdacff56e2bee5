/* expect: 6:3: error: label 'L' is defined twice
** expect: 5:3: note: the first definition
*/
init {
  L: skip;
  L: skip;
  goto L
}
