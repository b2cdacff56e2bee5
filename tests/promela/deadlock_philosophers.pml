/* Three philosophers that take the left fork first: an invalid end state. */
/* expect end-states: violated; states 140; transitions 265 */
#define N 3
bool taken[N];
byte meals;

active [N] proctype phil() {
  do
  :: atomic { !taken[_pid] -> taken[_pid] = true };
     atomic { !taken[(_pid + 1) % N] -> taken[(_pid + 1) % N] = true };
     meals = (meals + 1) % 4;
     taken[_pid] = false;
     taken[(_pid + 1) % N] = false
  od
}
