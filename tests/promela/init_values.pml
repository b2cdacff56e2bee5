/* Initialisers: constants, expressions, one value for a whole array,
 * negative values, locals, and values taken from earlier globals. */
/* expect: holds; states 114; transitions 220 */
#define BASE 3
byte a = BASE * 2 + 1;
short neg = -5;
int big = 1 << 16;
byte arr[4] = 7;
bool flags[3] = true;
byte copy = a;

proctype P(byte k) {
  byte here = k + arr[k];
  byte there[2] = here;
  int zero;
  there[1] = there[1] + zero;
  if
  :: here > 8 -> arr[0] = there[0]
  :: here <= 8 -> arr[k] = there[1] + neg; flags[k] = false
  fi;
  zero = big + copy
}

init {
  byte i = 2;
  assert(a == 7 && copy == 7 && arr[3] == 7);
  run P(1);
  run P(i);
  neg++
}
