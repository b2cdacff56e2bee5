/* Atomic sequences: other processes see only the states between them;
 * choices inside an atomic sequence. */
/* expect end-states: violated; states 3194; transitions 105266 */
byte x, y;

active [2] proctype P() {
  atomic {
    x == y;
    x++;
    if
    :: y = x
    :: x--; y = x
    :: x > 1 -> y = x; x = 1; y = 1
    fi
  };
  assert(x == y || x != y);
  atomic { x = x + 10; y = y + 10 };
  atomic {
    do
    :: x > 3 -> x = x - 4; y--
    :: y > 2 -> y = y / 2
    :: x <= 3 -> break
    od
  }
}

active proctype watch() { assert(x < 30); (x > 10) -> x = 10 }
