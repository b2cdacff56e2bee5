init {
  skip $ skip
}
/*
expect: 2:8: error: unexpected character '$'
*/
