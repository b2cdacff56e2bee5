/* select with constant bounds of several sizes: what it stands for depends
 * on the number of values. */
/* expect end-states: violated; states 267; transitions 267 */
byte a, b, c, d, e;

active proctype P() {
  select (a : 0 .. 8);
  select (b : 1 .. 1);
  a == 3;
  select (c : 0 .. 15);
  c == 7;
  select (d : 0 .. 31);
  d == 9;
  select (e : 0 .. 32);
  e == 3;
  select (e : 0 .. 40)
}
