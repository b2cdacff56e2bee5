/* d_step with sends, receives and polls on buffered channels. */
/* expect end-states: violated; states 471; transitions 1144 */
chan q = [3] of { byte, bool };
byte got, lost;

active proctype A() {
  byte n;
  do
  :: n < 4 -> d_step { nfull(q) -> n++; q ! n, (n % 2) }
  :: n < 4 && full(q) -> lost++; n++
  :: n == 4 -> break
  od
}

active proctype B() {
  byte x; bool odd;
  do
  :: d_step {
       q ? [x, odd] -> q ? x, odd;
       if
       :: odd -> got = got + x
       :: else -> got = (got * 2) % 7
       fi;
       x = 0; odd = false
     }
  :: d_step { q ?? [3, true] -> q ?? 3, true; got++ }
  :: d_step { q ? <x, odd> -> got = (got + x) % 5; x = 0; odd = 0 }
  :: got > 5 -> break
  od
}
