/* Loops inside atomic sequences with choices, leading to the same state
 * on many ways. */
/* expect: holds; states 319; transitions 1263 */
byte a, b, c;

active proctype P() {
  byte i;
  atomic {
    do
    :: i < 4 -> i++; if :: a++ :: b++ :: skip fi
    :: i == 4 -> break
    od;
    i = 0
  };
  c = a + b
}

active proctype Q() {
  atomic {
    c = 1;
    do
    :: c < 5 -> c++
    :: c > 2 -> break
    od
  };
  a = 0
}
