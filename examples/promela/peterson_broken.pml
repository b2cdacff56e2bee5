/* Peterson's algorithm with its two first lines exchanged.
 *
 * It looks harmless: each process gives the turn away first and announces
 * its wish afterwards.  But now both can pass the waiting condition.  The
 * counterexample is short enough to be followed by hand:
 *
 *     nutshell check examples/promela/peterson_broken.pml
 */
/* expect assertions: violated; states 98; transitions 187 */

bool wants[2];
byte turn;
byte inside;

active [2] proctype user() {
  byte me = _pid;
  byte other = 1 - _pid;

  do
  :: turn = other;
     wants[me] = true;          /* too late: the other may have looked */
     !wants[other] || turn == me;

     inside++;
     assert(inside == 1);
     inside--;

     wants[me] = false
  od
}
