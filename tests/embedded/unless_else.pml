/* c_expr as the condition of an escape and beside else. */
/* expect: holds; states 14; transitions 17 */
byte x;

active proctype main()
{
  {
    do
    :: c_code { now.x++; }
    :: c_expr { now.x % 2 } -> skip
    od
  } unless { c_expr { now.x == 6 } };
  if
  :: c_expr { now.x > 6 } -> assert(false)
  :: else -> x = 0
  fi
}
