/* Channels inside structures, arrays of them, and local arrays of
 * channels. */
/* expect: holds; states 69; transitions 118 */
typedef port { chan in = [1] of { byte }; byte id }
port ports[2];
byte r;

proctype pump(byte k) {
  chan loc[2] = [1] of { byte };
  byte v;
  ports[k].in ? v;
  loc[k] ! v;
  loc[1 - k] ! v + 1;
  loc[0] ? v;
  r = r + v * (k + 1);
  ports[k].id = v
}

init {
  run pump(0);
  run pump(1);
  ports[1].in ! 4;
  ports[0].in ! 7
}
