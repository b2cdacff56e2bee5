/* expect: 4:8: error: unexpected character '$'
*/
init {
  skip $ skip
}
