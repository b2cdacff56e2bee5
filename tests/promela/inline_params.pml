/* inline: parameters are replaced as text; arrays, fields, channels and
 * expressions as arguments. */
/* expect: holds; states 272; transitions 463 */
typedef acc { byte v; byte w[2] }
acc g[2];
chan q = [2] of { byte };

inline add(var, amount) {
  var = var + amount * 2;
  if
  :: var > 9 -> var = var - 9
  :: else
  fi
}

inline put(ch, e) { ch ! e; add(g[1].w[0], len(ch)) }

active [2] proctype P() {
  byte l = 3;
  add(l, 1 + _pid);
  add(g[_pid].v, l);
  put(q, l + g[0].v);
  add(g[1 - _pid].w[1], (l > 4 -> 1 : 2))
}
