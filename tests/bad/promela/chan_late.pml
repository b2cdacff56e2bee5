/* expect: 5:8: error: a channel must be made at the start of a proctype, before the first statement
*/
init {
  skip;
  chan q = [1] of { byte };
  q!1
}
