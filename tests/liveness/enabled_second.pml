/* 'enabled' looks at all that a process may do: here at the second of three
 * options, when what stands before them can no longer be executed.
 *
 * expect never: holds
 */
byte x;

active proctype A()
{
  (x == 0);
W:  if
  :: (x == 2)
  :: (x == 1)
  :: (x == 3)
  fi
}

active proctype B() { (A[0]@W); x = 1 }

never {
  do
  :: (A[0]@W && x == 1 && !enabled(0)) -> break
  :: else
  od
}
