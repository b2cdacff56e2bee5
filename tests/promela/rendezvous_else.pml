/* else beside a rendezvous send and receive: it is taken when there is no
 * partner at the moment. */
/* expect: holds; states 19; transitions 21 */
chan c = [0] of { byte };
byte hit, miss;

active proctype S() {
  byte i;
  do
  :: i < 3 -> i++;
     if
     :: c ! i -> hit++
     :: else -> miss++
     fi
  :: i == 3 -> break
  od
}

active proctype R() {
  byte x;
  do
  :: c ? x
  :: hit + miss == 3 -> break
  od
}
