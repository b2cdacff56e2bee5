/* for with changing bounds, nested, with break and goto out of the loop and
 * a label inside. */
/* expect: holds; states 1429; transitions 2330 */
typedef ctl { byte lim[2] }
ctl g;
byte sum, i, k;

active proctype P() {
  g.lim[0] = 2;
  g.lim[1] = 3;
  for (i : 0 .. g.lim[0]) {
    sum = sum + i;
    if
    :: sum > 2 -> goto out
    :: sum <= 2 -> skip
    :: i == 1 -> goto inside
    fi
  }
  sum = 40;
out:
  for (k : 1 .. g.lim[1]) {
    for (i : k .. 2) {
      sum = sum + i;
inside:
      sum++
    }
    if
    :: k == 2 -> break
    :: else
    fi
  }
}

active proctype Q() { sum = 1; g.lim[1]-- }
