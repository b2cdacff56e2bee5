/* Runs that end go on for ever where they end.
 *
 * expect stays: holds
 * expect stays: holds; with --fair weak
 * expect stays: holds; with --fair strong
 * expect leaves: violated
 * expect leaves: violated; with --fair weak
 * expect leaves: violated; with --fair strong
 * expect twice: holds
 * expect twice: holds; with --fair weak
 * expect twice: holds; with --fair strong
 * expect remote: holds
 * expect remote: holds; with --fair weak
 * expect remote: holds; with --fair strong
 * expect acceptance: holds
 * expect acceptance: holds; with --fair weak
 * expect acceptance: holds; with --fair strong
 * expect non-progress: holds
 * expect non-progress: holds; with --fair weak
 * expect non-progress: holds; with --fair strong
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
