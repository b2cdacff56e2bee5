/* What formulas and properties are about in tests/fuzz: the names of
 * question.pml, and few states, for reading matters there. */
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
  if
  :: q!ping(i)
  :: q!pong(i)
  fi;
wait:
  meet!i;
  assert(x < 1)
}

active [2] proctype receiver()
{
  byte v;
end:
  if
  :: q?ping(v) -> d_step { f[v] = v; p.b[1] = -v; x++ }
  :: meet?v -> done = true; progress: skip
  fi
}
