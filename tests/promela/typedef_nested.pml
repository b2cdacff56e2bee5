/* typedefs within typedefs, with arrays at each level, as globals and
 * locals, and initial values inside a typedef. */
/* expect: holds; states 198; transitions 409 */
typedef inner { byte v[2]; bit on }
typedef middle { inner in[2]; short sum = 3 }
typedef outer { middle m; middle ms[2]; byte count = 1 }

outer g;
outer gs[2];

proctype work(byte k) {
  middle loc;
  assert(loc.sum == 3 && g.count >= 1 && gs[1].ms[1].sum >= 3);
  loc.in[k].v[1 - k] = g.count;
  loc.in[1 - k].on = k;
  g.m.in[k].v[k] = loc.in[k].v[1 - k] + gs[k].count;
  gs[k].ms[1 - k].in[k].on = loc.in[1].on;
  gs[1 - k].ms[k].sum = gs[1 - k].ms[k].sum + g.m.in[k].v[k];
  g.count++
}

init {
  atomic { run work(0); run work(1) };
  g.ms[g.m.in[0].on].sum = -1;
  (_nr_pr == 1) -> assert(g.count == 3)
}
