/* Arrays initialised element by element. */
/* expect: holds; states 36; transitions 47 */
byte g[3] = { 4, 5, 6 };
int h[2] = { 3, 1000 };

active [2] proctype P() {
  byte l[3] = { 1, 2, 3 };
  byte k = _pid;
  l[k] = g[k] + h[k];
  g[2 - k] = l[0] + l[1] + l[2];
  h[1 - k] = l[k] * h[k]
}
