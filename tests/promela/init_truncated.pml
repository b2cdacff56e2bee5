/* Initialisers that do not fit are truncated like assignments. */
/* expect end-states: violated; states 56; transitions 82 */
byte b = 300;
bit t = 2;
short s = 70000;
unsigned u : 3 = 13;
byte a[2] = 257;

active proctype P() {
  byte lb = -1;
  bit lt = 3;
  short ls = 40000;
  if
  :: lb == 255 -> b = b + lb
  :: lb != 255 -> assert(false)
  fi;
  s = s + ls;
  u = u + lt;
  a[t] = a[1] + b
}

active proctype Q() { if :: u == 5 -> u = 1 :: s == 4464 -> s = 1 fi }
