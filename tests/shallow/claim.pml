/* A request that is never answered, as a claim, beside a number that grows.
** expect never: violated */

int load;
bool asked, answered;

active proctype Load()
{
  do
  :: load++
  :: load++; answered = asked
  od
}

active proctype Client()
{
  do
  :: asked = true; asked = false
  od
}

never {
  do
  :: asked && !answered -> goto accept_waiting
  :: true
  od;
accept_waiting:
  do
  :: !answered
  od
}
