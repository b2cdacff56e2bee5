/* Two rounds of a bakery lock, watched by a process with remote label
 * references. */
/* expect: holds; states 617; transitions 1146 */
byte ticket[2];
bool choosing[2];

active [2] proctype P() {
  byte rounds;
  do
  :: rounds < 2 ->
     choosing[_pid] = true;
     ticket[_pid] = ticket[1 - _pid] + 1;
     choosing[_pid] = false;
     !choosing[1 - _pid];
     ticket[1 - _pid] == 0 || ticket[_pid] < ticket[1 - _pid] ||
     (ticket[_pid] == ticket[1 - _pid] && _pid == 0);
cs:  ticket[_pid] = 0;
     rounds++
  :: else -> break
  od
}

active proctype watch() {
  do
  :: atomic { P[0]@cs -> assert(!P[1]@cs) }
  :: P[1]@cs && P[0]@cs -> assert(false)
  :: P[0]:rounds == 2 && P[1]:rounds == 2 -> break
  od
}
