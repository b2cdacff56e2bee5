/* for over a range: bounds are expressions, the loop may be empty, the
 * variable is one too large afterwards, and may be changed in the body. */
/* expect assertions: violated; states 293; transitions 499 */
byte i, sum;
byte n = 3, five = 5;

active proctype P() {
  byte j;
  for (i : 1 .. n) {
    sum = sum + i;
    for (j : i .. 2) {
      sum++
    }
  }
  assert(i > n);
  for (j : five .. 4) {
    assert(false)
  }
  assert(j == 5);
  for (j : 0 .. n + 1) {
    if
    :: j == 1 -> j = 3
    :: j == 2 -> break
    :: else
    fi;
    sum = sum * 2
  }
}

active proctype Q() {
  n = 2;
  n++;
  atomic { i > 1 -> n-- }
}
