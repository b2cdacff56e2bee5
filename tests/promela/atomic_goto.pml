/* Jumps out of and into atomic sequences, and from one into another. */
/* expect: holds; states 322; transitions 561 */
byte x, n;

active [2] proctype P() {
  byte i;
  atomic {
    i = 1;
    x++;
    if
    :: x > 2 -> goto outside
    :: x <= 2 -> goto deep
    :: true -> skip
    fi;
    x = x + 2
  };
outside:
  x = x + 10;
  x = x % 7;
  if
  :: i == 1 -> i = 2; goto deep
  :: i == 2 -> goto finish
  fi;
  atomic {
    n = n + 5;
deep:
    n++;
    n = n % 4;
    if
    :: n == 3 -> goto outside
    :: else
    fi;
    n = n + 1
  };
finish:
  skip
}
