/* The second 'c?1' that the trace asks for never comes: to look at the message
 * does not count. */
/* expect assertions: violated */
byte x;
chan c = [2] of { byte };

active proctype P() {
  c ! 1;
  c ? <x>;
  c ! 2;
  c ? x;
  c ? x
}

trace { do :: c ? 1; c ? 1; c ? 2 od }
