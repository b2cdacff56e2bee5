/* Two processes that look before they lock: both can enter. */
bool busy;
byte inside;

active [2] proctype user()
{
  do
  :: !busy ->
     busy = true;
     inside++;
     assert(inside == 1);
     inside--;
     busy = false
  od
}
