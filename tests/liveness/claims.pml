/* A claim that reaches its end, beside labels in the processes.
 *
 * expect: never violated
 * expect: acceptance violated
 * expect: non-progress violated
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
