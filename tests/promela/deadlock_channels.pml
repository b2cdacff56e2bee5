/* Two processes send to each other before they receive. */
/* expect end-states: violated; states 742; transitions 1156 */
chan a = [1] of { byte };
chan b = [1] of { byte };
byte n;

proctype P(chan out; chan in) {
  byte v;
  do
  :: n < 3 -> out ! n; out ! n + 1; in ? v; n = v
  :: n >= 3 -> break
  :: in ? v
  od
}

init { atomic { run P(a, b); run P(b, a) } }
