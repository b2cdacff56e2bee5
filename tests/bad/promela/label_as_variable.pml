/* expect: 5:3: error: 'L' is a label, not a variable
*/
init {
  L: skip;
  L = 1;
  goto L
}
