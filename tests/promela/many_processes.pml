/* A row of short-lived processes: many numbers, most of them dead. */
/* expect: holds; states 1991; transitions 5752 */
byte count, high;

proctype p() {
  if
  :: count < 6 -> count++; run p(); high = _pid
  :: count >= 3 -> skip
  fi
}

init { run p() }
