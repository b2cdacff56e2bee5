/* unless: the escape is tried before each statement of the main sequence
 * and has priority over it. */
/* expect: holds; states 205; transitions 303 */
byte x, y, z;

active proctype P() {
  {
    x = 1;
    x = 2;
    do
    :: x < 5 -> x++
    :: x == 5 -> break
    od;
    x = 6
  } unless {
    y == 1 -> z = x;
    y = 2
  };
  z = z + 10
}

active proctype Q() {
  y = 1;
  y = 3;
  y = 1
}
