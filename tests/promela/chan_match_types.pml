/* Constants in receives are compared with the stored, truncated value. */
/* expect: holds; states 62; transitions 77 */
chan b = [1] of { byte };
chan s = [1] of { short };
byte n;

active proctype S() {
  b ! -1; b ! 300; b ! 44;
  s ! -1; s ! 70000; s ! -40000
}

active proctype R() {
  do
  :: b ? 255 -> n = n + 1
  :: b ? -1 -> n = n + 2
  :: b ? 44 -> n = n * 2
  :: b ? 300 -> n = 200
  :: s ? -1 -> n = n + 3
  :: s ? 65535 -> n = 201
  :: s ? 4464 -> n = n + 4
  :: s ? 25536 -> n = n * 3
  :: timeout -> break
  od
}
