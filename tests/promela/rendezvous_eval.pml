/* eval and _pid in handshakes pick the partner. */
/* expect end-states: violated; states 2121; transitions 4873 */
chan to = [0] of { pid, byte };
byte got[3];

active [3] proctype node() {
  byte v, n;
  do
  :: to ? eval(_pid), v -> got[_pid] = got[_pid] + v
  :: n < 1 -> to ! (_pid + 1) % 3, _pid + 1; n++
  :: n < 1 -> to ! (_pid + 2) % 3, 10; n++
  :: got[_pid] > 2 || n == 1 -> break
  od
}
