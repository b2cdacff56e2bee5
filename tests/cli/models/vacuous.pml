/* Properties that are true, or false, for no good reason. */
bool asked, served, broken;
byte x = 1, y;
chan c = [1] of { byte };

active proctype user()
{
  byte got;
  do
  :: atomic {
       x = 3 - x;
       c?got;
       served = true
     }
  od
}

active proctype other()
{
  do
  :: c!y
  :: served = false
  :: asked && y < 5 -> y++
  od
}

ltl never_asked { [] (asked -> <> served) }
ltl part { [] (x > 0 || served) }
ltl idle { [] !broken }
ltl fine { [] (x < 3) }
ltl bad { <> (served && y > 3) }
