/* if with overlapping guards, nested ifs, guards that are assignments,
 * and an if that blocks until another process helps. */
/* expect end-states: violated; states 60; transitions 90 */
byte x, y;

active proctype P() {
  if
  :: x = 1
  :: x = 2; y = 1
  :: skip -> x = 3
  :: x == 0 -> if
               :: true -> x = 4
               :: y == 2 -> x = 5
               fi
  fi;
  if
  :: y == 2 && x > 3 -> y = 10
  :: y == 3 -> x = 0
  fi
}

active proctype Q() {
  y = y + 1;
  y = y + 1
}
