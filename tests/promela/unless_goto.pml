/* Jumps out of and into the main part and the escape of an unless. */
/* expect end-states: violated; states 207; transitions 331 */
byte x, n;

active proctype P() {
again:
  {
    x = 1;
main:
    x = x + 1;
    if
    :: x > 3 -> goto out
    :: else -> goto main
    fi
  } unless {
    n == 1;
esc:
    n = 2;
    if
    :: x < 3 -> goto again
    :: x == 3 -> goto main
    :: else
    fi
  };
  x = 20;
out:
  if
  :: n == 1 -> goto esc
  :: n != 1
  fi
}

active proctype Q() { n = 1; n == 2 -> n = 1; n = 3 }
