/* Declarations between statements: the initialiser is evaluated when it
 * is reached, and a declaration without one sets zero again. */
/* expect: holds; states 1355; transitions 2151 */
byte g = 1;

active proctype P() {
  g++;
  byte a = g;
  g = a * 3;
  byte b = g + a, c;
  do
  :: a < 4 ->
     byte d;
     byte e = a;
     d = d + e;
     g = g + d;
     a++
  :: else -> break
  od;
  c = b;
  int arr[2] = c;
  arr[1] = g;
  g = arr[0] + arr[1]
}

active proctype Q() {
  g = g + 10;
  bit z = g;
  if
  :: z -> byte w = 3; g = w
  :: else -> byte w2 = g; g = w2 / 2
  fi
}
