/* A short is sixteen bits with a sign; shifting it up reaches the sign. */
/* expect: holds; states 3025; transitions 8201 */
short s = 32000;
short doubled = 1;
bool stop;

active proctype adder() {
  do
  :: !stop -> s = s + 400;
     assert(s >= -32768 && s <= 32767);
     if
     :: s < 0 -> stop = true
     :: else -> skip
     fi
  :: stop -> break
  od
}

active proctype doubler() {
  do
  :: doubled != 0 -> doubled = doubled << 1
  :: doubled == 0 -> break
  od;
  s = s - doubled
}

active proctype squarer() {
  short q = 181;
  q = q * q;
  assert(q == 32761);
  q = q + 8;
  assert(q == -32767);
  s = q
}
