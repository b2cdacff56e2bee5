/* expect: 6:7: error: the closing ' is missing
** expect: 6:10: error: the closing ' is missing
*/
init {
  int c;
  c = 'ab';
}
