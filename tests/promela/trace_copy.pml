/* A receive that leaves the message in its channel is no event. */
/* expect: holds; states 6; transitions 6 */
byte x;
chan c = [2] of { byte };

active proctype P() {
  c ! 1;
  c ? <x>;
  c ?? <1>;
  c ? x
}

trace { c ? 1 }
