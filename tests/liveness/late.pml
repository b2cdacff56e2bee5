/* A second search from accept_dead ends without a loop, and then states become
 * longer than any before; the loop through accept_alive, which is found by a
 * second search only, comes after that.
 *
 * expect acceptance: violated
 * expect acceptance: violated; with --fair weak
 * expect acceptance: violated; with --fair strong */

byte n;

proctype guest(byte a; byte b) {
  int c = 1, d = 2, e = 3, f = 4;
  n == 100
}

active proctype host() {
again:
  if
  :: n = 1 -> goto back
  :: n = 2 -> goto accept_dead
  :: n = 3 -> goto grow
  fi;
back:
  n = 0;
  goto again;
accept_dead:
  n = 4;
  n == 100;
grow:
  run guest(1, 2);
  run guest(2, 3);
  run guest(3, 4);
enter:
  n = 6;
accept_alive:
  n = 7;
  n = 3;
  goto enter
}
