/* expect: 7:9: error: 'x' is already declared
** expect: 5:7: note: declared here
*/
init {
  int x;
  x = 1;
  { int x; x = 2 }
}
