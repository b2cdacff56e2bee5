/* Philosophers who eat more and more, and two who go on offering each other the
** same fork.
** expect non-progress: violated; with --fair weak */

int meals;
bool fork[3];

active [3] proctype Philosopher()
{
  byte left = _pid, right = (_pid + 1) % 3;
  do
  :: atomic { !fork[left] -> fork[left] = true };
     if
     :: atomic { !fork[right] -> fork[right] = true };
progress:
        meals++;
        fork[right] = false;
        fork[left] = false
     :: fork[right] -> fork[left] = false
     fi
  :: fork[left] -> skip
  od
}
