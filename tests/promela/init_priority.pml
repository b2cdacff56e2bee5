/* Priority on init and on started processes, with provided. */
/* expect end-states: violated; states 18; transitions 18 */
byte x, y;
bool ok = true;

proctype P(byte k) provided (ok) {
  x = x * 2 + k;
  y++;
  x = x % 50
}

init priority 3 {
  run P(1) priority 1;
  run P(2) priority 5;
  x++;
  run P(0) priority 3;
  ok = false;
  y == 3;
  x = 0;
  ok = true
}
