/* Inlines that call inlines, with local variables and labels inside, called
 * several times. */
/* expect: holds; states 1662; transitions 3081 */
byte total;

inline swap(a, b) {
  byte t;
  t = a;
  a = b;
  b = t
}

inline sort2(a, b) {
  if
  :: a > b -> swap(a, b)
  :: else -> skip
  fi
}

inline sort3(a, b, c) {
  sort2(a, b);
  sort2(b, c);
  sort2(a, b)
}

active proctype P() {
  byte x, y = 2, z;
  if :: x = 1 :: x = 3 :: x = 9 fi;
  if :: z = 0 :: z = 2 :: z = 4 fi;
  sort3(x, y, z);
  assert(x <= y && y <= z);
  total = x + y * z
}

active proctype Q() {
  byte a = 5, b = 3;
  swap(a, b);
  assert(a == 3);
  total = total + b;
  swap(total, b)
}
