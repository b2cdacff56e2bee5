/* Two partners, both under an unless; one escape sends, the other one
 * receives; priorities between the handshake and the escape. */
/* expect: holds; states 71; transitions 106 */
chan go = [0] of { byte };
chan quit = [0] of { bit };
byte a, b;

active proctype A() {
  byte i;
  {
    do
    :: i < 2 -> go ! i; i++
    :: i == 2 -> break
    od;
    a = 1
  } unless {
    quit ? 1;
    a = 2
  };
  a = a + 10
}

active proctype B() {
  {
    do
    :: go ? b
    :: b == 1 -> b = 5; break
    od;
    b = 6
  } unless {
    atomic { quit ! 1; b = b + 20 }
  };
  b++
}
