/* Variables with fewer values than a byte: an extension of Promela. */
subrange Counter = 0..10;
subrange Sign = -2...2;
subrange High = 60 .. 70;
typedef R { Sign s; value 3 v; Counter cs[2] };
value 12 x;
Counter c, d = 3;
Sign s;
High h;
R r;
chan q = [2] of { value 6, Counter };
byte value;
byte subrange;
active proctype P(value 4 p)
{
  value 3 y = 2;
  assert(x == 0 && c == 0 && d == 3 && s == 0 && h == 60 && r.s == 0 && r.cs[1] == 0 && y == 2);
  value = 5;
  subrange = value + 1;
  q!5,10;
  q?x,c;
  assert(x == 5 && c == 10);
  do
  :: x < 11 -> x++
  :: s > -2 -> s--
  :: value == 5 -> value = 6
  :: else -> break
  od;
  y = 3
}
