/* The condition of a c_code that holds. */
/* expect: holds; states 13; transitions 19 */
byte x = 3;

active [2] proctype main()
{
  c_code [now.x > 0 && now.x <= 3] { now.x--; };
  c_code [Pmain->_pid < 2] { now.x = now.x + 0; }
}
