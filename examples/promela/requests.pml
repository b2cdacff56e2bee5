/* Requests are answered: properties of infinite runs.
 *
 * Two clients ask a server and wait for its answer, while a clock ticks.  That
 * never two requests are served at once holds in any case.  That a request is
 * answered holds only if the scheduler is weakly fair: otherwise the clock may
 * tick for ever while nobody else moves.  That both clients are served again and
 * again needs strong fairness: one that can ask only when nobody is served can
 * move again and again, but not all the time.
 *
 *     nutshell check --max-errors 0 examples/promela/requests.pml
 *     nutshell check --max-errors 0 --fair weak examples/promela/requests.pml
 *     nutshell check --max-errors 0 --fair strong examples/promela/requests.pml
 */
/* expect assertions, end-states, bounds: holds; states 48; transitions 133 */

mtype = { none, request, work };

mtype desk[2] = none;   /* what is going on for each client */
byte serving = 2;       /* the client being served; 2: none */
bool tick;

active [2] proctype client() {
end:
  do
  :: atomic { serving == 2 -> serving = _pid; desk[_pid] = request }
     desk[_pid] == none
  od
}

active proctype server() {
end:
  do
  :: serving < 2 ->
     desk[serving] = work;
     desk[serving] = none;
     serving = 2
  od
}

active proctype clock() {
end:
  do
  :: tick = !tick
  od
}

ltl one_at_a_time { [] !(desk[0] != none && desk[1] != none) }
ltl answered { [] (desk[0] == request -> <> (desk[0] == none)) }
ltl both_served { []<> (desk[0] == work) && []<> (desk[1] == work) }
