/* unsigned x : n for several widths, alone, in a typedef, and counting
 * modulo 2^n. */
/* expect end-states: violated; states 9870; transitions 19007 */
typedef rec {
  unsigned low : 2;
  unsigned high : 5
}
unsigned a : 1;
unsigned b : 4 = 9;
unsigned c : 10 = 1023;
rec r;

active [2] proctype count() {
  unsigned mine : 2 = 3;
  do
  :: b++; b != 3 -> mine = mine + 1
  :: c = c + 511; (c & 1) -> a = a + 1; break
  :: r.low = r.low - 1; r.low > r.high -> r.high = r.high + 13
  :: mine == 1 -> r.high = c; break
  od
}
