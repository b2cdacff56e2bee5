/* for over the indices of an array, global and local. */
/* expect: holds; states 1377; transitions 2476 */
byte a[3] = 2;
byte total;

active proctype P() {
  byte l[2];
  byte i, k;
  for (i in a) {
    a[i] = a[i] + i;
    total = total + a[i]
  }
  for (k in l) {
    l[k] = k + 1;
    if
    :: a[k] > 2 -> total++
    :: l[k] == 1 -> total = 1
    fi
  }
}

active proctype Q() {
  byte j;
  for (j in a) {
    atomic { a[2 - j] = a[2 - j] * 2; total++ }
  }
}
