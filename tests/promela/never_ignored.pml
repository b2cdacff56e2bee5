/* A never claim is no part of the plain count of states. */
/* expect assertions, end-states, bounds: holds; states 109; transitions 183 */
byte a, b;

active [2] proctype P() {
  a++;
  b = b + a;
accept_p:
  if
  :: b > 2 -> a = 0
  :: else -> b++
  fi;
progress_p:
  b = 0
}

never {
T0:
  if
  :: a > 1 -> goto accept_T1
  :: true -> goto T0
  fi;
accept_T1:
  if
  :: b == 0 -> goto accept_T1
  fi
}
