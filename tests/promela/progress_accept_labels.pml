/* accept and progress labels do not change the plain count. */
/* expect assertions, end-states, bounds: holds; states 2179; transitions 4356 */
byte x;

active [2] proctype P() {
  do
  :: x < 3 ->
progress: x++
  :: x > 0 ->
accept: x--
  :: x == 3 -> goto end_it
  od;
end_it:
  if
  :: x == 0 -> skip
  :: x == 2 -> goto progress_more
  fi;
progress_more: goto accept_more;
accept_more: x = 1
}
