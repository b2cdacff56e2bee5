/* Inlines in atomic and d_step, and inlines that hold them. */
/* expect: holds; states 209; transitions 353 */
byte sem = 1, n, inside;

inline P_(s) { atomic { s > 0 -> s-- } }
inline V_(s) { s++ }
inline bump(v) { d_step { v++; v = v % 5 } }

active [2] proctype user() {
  byte i;
  do
  :: i < 2 ->
     P_(sem);
     inside++;
     assert(inside == 1);
     bump(n);
     atomic { inside--; V_(sem) };
     i++
  :: else -> break
  od
}
