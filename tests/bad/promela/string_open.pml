/* expect: 4:10: error: this string does not end
*/
init {
  printf("no end
}
