/* d_step: one step, with if, do, else, break and loops inside. */
/* expect: holds; states 146; transitions 246 */
byte a[4], i, sum, done;

active proctype fill() {
  d_step {
    do
    :: i < 4 -> a[i] = i * 3; i++
    :: else -> break
    od;
    i = 0
  };
  d_step {
    i = 3;
    do
    :: i > 0 && a[i] > 4 -> sum = sum + a[i]; i--
    :: else -> if
               :: i == 1 -> sum = sum + 50; break
               :: else -> break
               fi
    od
  };
  done = 1
}

active [2] proctype user() {
  byte k;
  d_step { sum > 10 -> k = sum; sum = k / 2 };
  sum = sum + k;
  d_step {
    if
    :: done == 0 -> k = 1
    :: done == 1 -> k = 2; done = k
    :: else -> skip
    fi
  }
}
