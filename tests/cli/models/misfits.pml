byte b = 300, c = 255;
short s = -40000;
bit one = 2;
mtype = { red };
mtype m = red;
unsigned u : 3 = 8;
int i = 70000;
#define BIG 256

inline set(v) { v = BIG }

active [2] proctype P()
{
  byte x = -1;
  set(b);
  do
  :: x == 260 -> x = 1
  :: 7 + 1 != u -> set(c)
  :: x < 300 && m == red -> break
  od
}
