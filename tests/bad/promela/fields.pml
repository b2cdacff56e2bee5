/* expect: 13:5: warning: this is a number, but field 1 of 'c' is an mtype
** expect: 14:5: warning: this is no channel, but field 1 of 'd' is one
** expect: 15:5: warning: this is a channel, but field 1 of 'e' is none
** expect: 16:7: warning: 'm' is an mtype, and this is a number
** expect: 18:6: warning: an assignment as the condition of an option can always be executed
** expect: 18:6: note: values are compared with '=='
** expect: 21:7: error: 'yellow' is not declared
** expect: 10:23: note: the nearest name is 'yelow'
*/
mtype = { red, green, yelow }; mtype m; byte x;
chan c = [1] of { mtype, byte }; chan d = [1] of { chan }; chan e = [1] of { byte };
active proctype P() {
  c!5,3;
  d!red;
  e!c;
  m = 5;
  do
  :: x = 1 -> x++
  :: x > 3 -> break
  od;
  m = yellow
}
