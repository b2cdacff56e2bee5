/* expect: 4:3: error: 'x' is not declared
*/
init {
  x = 1;
  int x
}
