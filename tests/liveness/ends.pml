/* Runs that end go on for ever where they end.
 *
 * expect: stays holds
 * expect: leaves violated
 * expect: twice holds
 * expect: remote holds
 * expect: acceptance holds
 * expect: non-progress holds
 */
byte x;

active [2] proctype P()
{
  x++;
  if
  :: x == 7 -> accept_never: skip; progress_never: skip
  :: else
  fi;
out: skip
}

ltl stays { <> [] (x == 2) }
ltl leaves { []<> (x == 1) }
ltl twice { (x == 0) U ((x == 1) U (x == 2)) }
ltl remote { <> P[0]@out && <> P[1]@out }
