/* Valid end states through labels that begin with end: on guards, on do,
 * in the middle; a process that waits there for ever is no error. */
/* expect end-states: violated; states 72; transitions 122 */
chan c = [1] of { byte };
byte n;

active proctype server() {
end:
  do
  :: c ? 1 -> n++
  :: c ? 2 ->
end_two:
     n == 5;
     n = 0
  od
}

active proctype client() {
  byte i;
  do
  :: i < 3 -> c ! 1; i++
  :: i == 2 -> c ! 2; break
  :: i == 3 -> break
  od
}

active proctype sleeper() {
  n == 1;
endless: n == 77
}
