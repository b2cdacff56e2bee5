/* A rendezvous channel handed over in a handshake; replies on a private
 * channel; channel comparison. */
/* expect: holds; states 80; transitions 105 */
chan door = [0] of { chan };
chan keep;
byte n;

active proctype visitor() {
  chan mine = [0] of { byte };
  chan other = [1] of { byte };
  byte v;
  if
  :: door ! mine; mine ? v
  :: door ! other; other ? v
  fi;
  n = n + v;
  assert(mine != other)
}

active [2] proctype porter() {
  chan c;
  if
  :: door ? c -> keep = c; c ! _pid
  :: timeout
  fi;
  if
  :: keep == c -> n = n + 10
  :: keep != c -> n = n + 20
  fi
}
