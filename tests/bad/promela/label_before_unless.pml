/* expect: 5:3: error: a label cannot stand here: write 'L: { ... unless ... }'
*/
init {
  int x;
  L: x = 1 unless { x > 2 };
  goto L
}
