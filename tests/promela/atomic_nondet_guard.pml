/* A guard that blocks at the start of an atomic sequence, choices in loops
 * within it, and else within it. */
/* expect: holds; states 1164; transitions 2591 */
byte sem = 1, in, count;

active [3] proctype P() {
  byte tries;
  do
  :: tries < 2 ->
     atomic {
       if
       :: sem > 0 -> sem--
       :: else -> tries++; goto next
       fi;
       in++;
       assert(in == 1)
     };
     count++;
     atomic { in--; sem++ };
     break;
next:
     skip
  :: tries == 2 -> break
  od
}
