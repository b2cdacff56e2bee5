/* The condition of a c_code that does not hold: the step is not made. */
/* expect assertions: violated; states 29; transitions 48 */
byte x = 1;

active [2] proctype main()
{
  if
  :: c_code [now.x > 0] { now.x--; } -> x = x
  :: true -> skip
  fi
}
