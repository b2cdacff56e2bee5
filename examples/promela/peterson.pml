/* Peterson's mutual exclusion for two processes.
 *
 * Two processes share a resource that only one of them may use at a time.
 * They have nothing to agree with but shared variables: each announces its
 * wish, then politely gives the turn away, and waits while the other one
 * wishes too and has the turn.
 *
 *     nutshell check examples/promela/peterson.pml
 *
 * walks every interleaving of the two and finds that the assertion holds
 * in all of them. */
/* expect: holds; states 38; transitions 65 */

bool wants[2];      /* wants[i]: process i asks for the resource */
byte turn;          /* who goes first when both ask */
byte inside;        /* how many are in the critical section */

active [2] proctype user() {
  byte me = _pid;
  byte other = 1 - _pid;

  do
  :: wants[me] = true;
     turn = other;
     /* An expression as a statement waits until it is true. */
     !wants[other] || turn == me;

     inside++;
     assert(inside == 1);
     inside--;

     wants[me] = false
  od
}
