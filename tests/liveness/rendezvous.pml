/* Who waits for a message is not kept from moving.
 *
 * expect served: violated
 * expect served: holds; with --fair weak
 * expect served: holds; with --fair strong
 * expect both: violated
 * expect both: violated; with --fair weak
 * expect both: holds; with --fair strong
 * expect order: holds
 * expect order: holds; with --fair weak
 * expect order: holds; with --fair strong
 */
mtype = { ask, answer };
chan c[2] = [0] of { mtype };
bool busy[2];

active [2] proctype Client()
{
  do
  :: c[_pid]!ask; busy[_pid] = true; c[_pid]?answer; busy[_pid] = false
  od
}

active proctype Server()
{
  do
  :: c[0]?ask -> c[0]!answer
  :: c[1]?ask -> c[1]!answer
  od
}

ltl served { [] (busy[0] -> <> !busy[0]) }
ltl both { []<> busy[0] && []<> busy[1] }
ltl order { [] (busy[0] + busy[1] <= 2) }
