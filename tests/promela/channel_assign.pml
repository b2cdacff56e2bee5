/* Assignments between channel variables, elements of arrays of channels as
 * arguments and in messages. */
/* expect: holds; states 30; transitions 41 */
chan q[2] = [1] of { byte };
chan swap;
byte r;

proctype P(chan in; chan out) {
  byte v;
  in ? v;
  out ! v + 1
}

init {
  byte x;
  chan h = [1] of { chan };
  run P(q[0], q[1]);
  h ! q[0];
  h ? swap;
  swap ! 3;
  if
  :: q[1] ? x
  :: atomic { swap = q[1]; swap ? x }
  fi;
  q[0] = q[1];
  assert(q[0] == swap || swap != q[1]);
  r = x
}
