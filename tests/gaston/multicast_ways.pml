byte sent, ap, x, y, n, m, cp;
inline b1() { x = m }
inline b2() { x = 0 }
inline b3() { x = 3 }
inline c1() { y = m; n++ }
inline c2() { n++ }
#define SEND ap == 0 && sent < 2
#define B2 sent == 0
#define B3 x > 0
#define C1 n == 0
#define C2 n < 2 && sent == n
#define NOC !(C1) && !(C2)
#define MSG m = sent + 1
#define DONE sent++; m = 0
active proctype all()
{
end:
  do
  :: d_step { SEND && C1 -> MSG; b1(); c1(); DONE }
  :: d_step { SEND && C2 -> MSG; b1(); c2(); DONE }
  :: d_step { SEND && NOC -> MSG; b1(); DONE }
  :: d_step { SEND && B2 && C1 -> MSG; b2(); c1(); DONE }
  :: d_step { SEND && B2 && C2 -> MSG; b2(); c2(); DONE }
  :: d_step { SEND && B2 && NOC -> MSG; b2(); DONE }
  :: d_step { SEND && B3 && C1 -> MSG; b3(); c1(); DONE }
  :: d_step { SEND && B3 && C2 -> MSG; b3(); c2(); DONE }
  :: d_step { SEND && B3 && NOC -> MSG; b3(); DONE }
  :: d_step { ap == 0 && !(sent < 2) -> ap = 1 }
  :: d_step { cp == 0 && n == 2 -> cp = 1 }
  od
}
