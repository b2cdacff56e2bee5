/* unless directly after a loop, a selection or an atomic sequence, without
 * braces around the main part. */
/* expect end-states: violated; states 159; transitions 229 */
byte a; bit b;

active proctype P() {
  do
  :: a < 5 -> a++
  :: b -> break
  :: a == 5 -> b = 1
  od unless { a == 3 && !b -> a = 4; b = 1 };
  if
  :: a == 9 -> a = 1
  :: a == 4 -> a = 2
  fi unless { a == 0 -> a = 7 };
  atomic { a++; a++ } unless { b == 0 };
  a = a + 10
}

active proctype Q() { if :: a == 3 -> a = 5 :: a == 4 -> a = 0 :: b fi; b = !b }
