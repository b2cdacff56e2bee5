/* Negative and too large values stored into every type, globally. */
/* expect: holds; states 11300; transitions 26615 */
bit t;
bool o;
byte b;
short s;
int i;
unsigned u : 3;
pid p;
int source;

active proctype writer() {
  do
  :: source == 0 -> source = -1
  :: source == -1 -> source = -129
  :: source == -129 -> source = 300
  :: source == 300 -> source = 70000
  :: source == 70000 -> source = -70000
  :: source == -70000 -> source = 1 << 20
  :: source == 1 << 20 -> break
  :: t = source
  :: o = source
  :: atomic { b = source; p = source + 1 }
  :: s = source
  :: d_step { i = source; u = source }
  od;
  assert(b == 0 || b != 0);
  assert(s >= -32768 && s <= 32767);
  assert(u <= 7 && t <= 1 && o <= 1)
}
