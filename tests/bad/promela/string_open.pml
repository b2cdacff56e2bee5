init {
  printf("no end
}
/*
expect: 2:10: error: this string does not end
*/
