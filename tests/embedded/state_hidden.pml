/* c_state "Hidden": in no state.  Here it is a constant. */
/* expect assertions: violated; states 45; transitions 73 */
c_state "int limit" "Hidden" "3"
int x;
hidden byte scratch;

active [2] proctype main()
{
  do
  :: c_expr { now.x < limit } -> c_code { scratch = now.x; now.x = scratch + 1; }
  :: else -> break
  od;
  assert(x == 3)
}
