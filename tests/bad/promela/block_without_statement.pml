chan q = [1] of { byte };
init {
  skip;
  { xr q };
  q?1
}
/*
expect: 4:3: error: this sequence has no statement
*/
