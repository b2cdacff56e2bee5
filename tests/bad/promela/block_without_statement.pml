/* expect: 6:3: error: this sequence has no statement
*/
chan q = [1] of { byte };
init {
  skip;
  { xr q };
  q?1
}
