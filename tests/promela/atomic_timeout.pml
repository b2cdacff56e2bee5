/* timeout and else as guards inside an atomic sequence. */
/* expect: holds; states 19; transitions 22 */
byte x, y;

active proctype P() {
  atomic {
    x = 1;
    if
    :: y == 1 -> x = 2
    :: timeout -> x = 3
    fi;
    if
    :: y == 2 -> x = x + 10
    :: else -> x = x + 20
    fi
  }
}

active proctype Q() {
  if
  :: y = 1; y = 2
  :: x == 1 -> y = 3
  fi
}
