/* Escapes that start with receives, sends, polls and else. */
/* expect end-states: violated; states 133; transitions 210 */
mtype = { data, abort };
chan c = [1] of { mtype };
chan d = [0] of { byte };
byte n, stopped;

active proctype worker() {
  {
    do
    :: n < 3 -> n++
    :: n == 3 -> n = 0
    od
  } unless {
    if
    :: c ? abort -> stopped = 1
    :: c ? data -> stopped = 2
    fi
  };
  { c ! data; n = 9 } unless { d ? n };
  stopped = stopped + n
}

active proctype boss() {
  if
  :: c ! abort
  :: c ! data; c ! abort
  fi;
  if
  :: d ! 42
  :: c ? _
  fi
}
