/* expect: 6:13: error: expected ')', found ';'
** expect: 6:7: note: to close what was opened here
*/
init {
  int x;
  x = (1 + 2;
}
