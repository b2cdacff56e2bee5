/* What trails, traces, properties and formulas are about in tests/fuzz. */
mtype = { ping, pong };
typedef pair { byte a; short b[2] }
chan q = [2] of { mtype, byte };
chan meet = [0] of { byte };
byte x, f[3];
bool done;
pair p;

active proctype sender()
{
  byte i;
  do
  :: i < 2 -> q!ping(i); i++
  :: q??pong(_) -> break
  od;
wait:
  meet!i;
  assert(x < 2)
}

active [2] proctype receiver()
{
  byte v;
end:
  do
  :: q?ping(v) -> d_step { f[v] = v; p.b[1] = -v; x++ }
  :: atomic { x > 1 -> q!pong(v) }
  :: meet?v -> done = true; progress: printf("%d\n", v)
  :: timeout -> break
  od
}
