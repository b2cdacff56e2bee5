/* Atomicity travels with a rendezvous: when the sender is inside an atomic
 * sequence and the receiver too, the receiver goes on without a break. */
/* expect: holds; states 531; transitions 681 */
chan c = [0] of { byte };
chan d = [0] of { byte };
byte log, other;

active proctype S() {
  atomic {
    log = log * 3 + 1;
    c ! 1;
    log = log * 3 + 1;
    c ! 2;
    log = log * 3 + 2
  };
  d ! 1;
  log++
}

active proctype R() {
  byte x;
  atomic {
    c ? x;
    log = log * 2 + x;
    log++
  };
  c ? x;
  log = log + x;
  atomic { d ? x; log = log * 2; log++ }
}

active proctype T() {
  other = log;
  other = other + log
}
