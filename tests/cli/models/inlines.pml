/* Arguments of inlines, in the words of who called them. */
#define PAIR r.a
#define SUM x + r.a
typedef R { byte a; byte x };
R r; byte x, y; chan c = [2] of { byte, byte };
inline add(v, n) { v = v + n; printf("v is %d\n", v) }
inline twice(w, m) { add(w, m); add( w , 2 * m ) }
inline put(ch, a1) { ch!a1, r.x; ch?_, eval(r.x) }
active proctype P() {
  add(x, 1);
  twice(PAIR, x);
  twice(y, SUM);
  put(c, (x + 1));
  add(r.a, y /* more */ +
     1)
}
