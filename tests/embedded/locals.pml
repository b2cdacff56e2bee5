/* Locals of the process that runs the C, parameters included. */
/* expect: holds; states 223; transitions 535 */
byte total;

proctype worker(byte id; short delta)
{
  byte count = 2;
  byte list[2] = 4;
  do
  :: c_expr { Pworker->count > 0 } ->
     c_code { Pworker->count--; Pworker->list[Pworker->count] = Pworker->id; }
  :: else -> break
  od;
  c_code { now.total += Pworker->id + Pworker->delta; };
  assert(list[0] == id && list[1] == id)
}

init {
  int me = 5;
  atomic { run worker(3, -1); run worker(4, 10) };
  c_code { Pinit->me += Pinit->_pid + 1; };
  assert(me == 6);
  (_nr_pr == 1);
  assert(total == 16)
}
