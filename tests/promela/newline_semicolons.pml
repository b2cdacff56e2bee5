/* A line end may stand for a semicolon after a complete statement, but not
 * inside parentheses or after an operator. */
/* expect: holds; states 1437; transitions 2679 */
byte x, y

inline twice(v) {
  v = v * 2
  v = v - 1
}

active [2] proctype P() {
  x = 1
  y = 2
  if
  :: x == 1 -> y = 3
     x = 5
  :: else
  fi
  do
  :: x > 2
     x--
     y = (x
        + 1)
  :: x <= 2 ->
     break
  od
  {
    x = 7
    y = 3
  }
  x = 1 +
      3
  atomic {
    x++
    twice(y)
  }
  skip
  printf("x %d\n",
         x)
}
