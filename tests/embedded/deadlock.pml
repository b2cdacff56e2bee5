/* A c_expr that blocks for ever. */
/* expect end-states: violated; states 13; transitions 16 */
c_state "int tokens" "Global" "1"

active [2] proctype main()
{
  c_expr { now.tokens > 0 };
  c_code { now.tokens--; }
}
