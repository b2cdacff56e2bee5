/* Two options that take the same event: an error, whichever comes first.  Here
 * the values of variables decide. */
/* expect assertions: violated */
byte x, one = 1, two = 2;
chan c = [2] of { byte };

active proctype A() {
  c ! 1;
  c ! 2;
  c ? x;
  if
  :: c ? 2
  :: one = 2; c ? 2
  fi
}

trace {
  c ? 1;
  if
  :: c ? eval(one); c ? 3
  :: c ? eval(two)
  fi
}
