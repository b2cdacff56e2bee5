/* Jumps within a d_step, and a d_step as an option of a loop. */
/* expect end-states: violated; states 857; transitions 1051 */
int n = 12;
byte steps;

active proctype collatz() {
  do
  :: d_step {
       n > 1;
       if
       :: n % 2 == 0 -> n = n / 2; goto tail
       :: else -> skip
       fi;
       n = 3 * n + 1;
tail:
       steps++
     }
  :: n == 1 -> break
  od
}

active proctype disturb() {
  byte k;
  do
  :: k < 2 -> k++; d_step { n > 9 -> n = n - 1; steps = 0 }
  :: n == 1 -> break
  od
}
