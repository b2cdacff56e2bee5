bool on;

active proctype lamp()
{
end:
  do
  :: on = !on
  od
}

ltl shines { []<> on }
