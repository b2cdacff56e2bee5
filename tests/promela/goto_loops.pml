/* goto into the middle of loops, out of nested ones, forwards and
 * backwards, and between options. */
/* expect: holds; states 42; transitions 48 */
byte x, steps;

active proctype P() {
  if
  :: goto inside
  :: goto option
  :: skip
  fi;
  do
  :: x < 2 ->
     x++;
inside:
     steps++;
     do
     :: steps < 3 -> steps++
     :: steps >= 3 -> goto done
     :: x == 2 -> goto again
     od
  :: x == 2 ->
option:
     x = 1;
again:
     if
     :: steps == 1 -> goto inside
     :: else -> break
     fi
  od;
  steps = 7;
done:
  x = 9
}

active proctype Q() {
loop:
  if
  :: x == 2 -> x = 0; goto loop
  :: x == 9 -> goto end_here
  :: steps == 7 -> skip
  fi;
  x = 5;
end_here:
  skip
}
