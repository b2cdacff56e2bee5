/* One receive and a look at the message are not the two receives that must not
 * happen. */
/* expect: holds; states 5; transitions 5 */
byte x;
chan c = [1] of { byte };

active proctype P() {
  c ! 1;
  c ? <x>;
  c ? x
}

notrace { c ? 1; c ? 1 }
