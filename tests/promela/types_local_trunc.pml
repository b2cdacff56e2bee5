/* The same truncation for local variables, parameters and array elements. */
/* expect: holds; states 3647; transitions 8942 */
byte seen[4];
int log;

proctype P(byte x; short y; bit z; unsigned w : 4) {
  short loc[2];
  log = log * 7 + x + y + z + w;
  loc[x % 2] = x * 300;
  loc[1 - x % 2] = y * 3;
  seen[_pid % 4] = loc[0] + loc[1];
  w = w + y;
  seen[w % 4]++;
  z = z + x
}

init {
  atomic {
    run P(300, 40000, 2, 21);
    run P(-1, -40000, -1, -3)
  };
  run P(256 + 17, 65536 + 3, 3, 16)
}
