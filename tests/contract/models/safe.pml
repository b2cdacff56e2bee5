/* The same, done in one step: only one can enter. */
bool busy;
byte inside;

active [2] proctype user()
{
  do
  :: atomic { !busy -> busy = true };
     inside++;
     assert(inside == 1);
     inside--;
     busy = false
  od
}
