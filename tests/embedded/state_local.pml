/* c_state "Local": one for each process of the type. */
/* expect: holds; states 89; transitions 155 */
c_state "int turns" "Local worker" "Pworker->id * 2"
c_state "short seen[3]" "Local worker"
byte sum;

proctype worker(byte id)
{
  do
  :: c_expr { Pworker->turns > 0 } ->
     c_code { Pworker->turns--; Pworker->seen[Pworker->turns % 3]++; }
  :: else -> break
  od;
  atomic { c_code { now.sum += Pworker->seen[0] + Pworker->seen[1]; } }
}

init {
  atomic { run worker(1); run worker(2) };
  (_nr_pr == 1);
  assert(sum == 5)
}
