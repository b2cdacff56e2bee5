/* Priorities given at run; a child of higher priority goes first. */
/* expect: holds; states 26; transitions 27 */
byte log;

proctype P(byte k) {
  log = log * 3 + k;
  log = log * 3 + k
}

init {
  run P(1) priority 2;
  run P(2) priority 4;
  log = log + 100;
  run P(0);
  log++
}
