/* From inside one atomic sequence straight into another: no other process
 * gets between. */
/* expect: holds; states 86; transitions 125 */
byte x, y;

active proctype P() {
  atomic {
    x = 1;
    if
    :: goto second
    :: x = 2
    fi;
    x = 3
  };
  y = x;
  atomic {
    x = 10;
second:
    x = x + 20;
    if
    :: y == 0 -> y = 1; goto third
    :: else
    fi;
    x = x + 30
  };
third:
  y++
}

active proctype Q() { y = y + x; y = y + x; y = 0 }
