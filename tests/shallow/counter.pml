/* A flag that is raised after many small steps, beside a number that grows for
** ever.
** expect never_done: violated */

int ticks;
byte stage;
bool done;

active proctype Clock()
{
  do
  :: ticks++
  od
}

active proctype Worker()
{
  do
  :: stage < 91 -> atomic { stage++; skip }
  :: else -> break
  od;
  done = true
}

ltl never_done { [] !done }
