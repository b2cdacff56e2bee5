/* Two locks taken in two orders, and a timer that ends when it is told to, but
** counts as long as it likes before.
** expect end-states: violated */

int now;
bool first, second, stop;

active proctype Timer()
{
  do
  :: now++
  :: now--
  :: stop && now != -1 -> break
  od
}

active proctype One()
{
  do
  :: atomic { !first -> first = true };
     atomic { !second -> second = true };
     second = false;
     first = false
  od
}

active proctype Two()
{
  do
  :: atomic { !second -> second = true };
     stop = true;
     atomic { !first -> first = true };
     first = false;
     second = false
  od
}
