/* A claim that reaches its end, beside labels in the processes.
 *
 * expect never: violated
 * expect never: violated; with --fair weak
 * expect never: violated; with --fair strong
 * expect acceptance: violated
 * expect acceptance: violated; with --fair weak
 * expect acceptance: violated; with --fair strong
 * expect non-progress: violated
 * expect non-progress: violated; with --fair weak
 * expect non-progress: violated; with --fair strong
 */
byte x;

active proctype P()
{
  do
  :: x < 2 -> x++
  :: x == 2 -> accept: x = 0
  :: x == 1 -> progress: skip
  od
}

never {
  do
  :: x == 2 -> break
  :: else
  od
}
