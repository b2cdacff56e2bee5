/* Escapes of escapes: the inner escape goes first, the outer one covers
 * both the inner main part and the inner escape. */
/* expect: holds; states 163; transitions 227 */
byte a, b, r;

active proctype P() {
  {
    {
      a = 1;
      a = 2;
      a = 3
    } unless {
      b == 1 -> a = 10;
      a = 11
    };
    a = a + 20
  } unless {
    b == 2;
    r = a
  };
  r++
}

active proctype Q() {
  if
  :: b = 1; b = 2
  :: b = 2; b = 1
  fi
}
