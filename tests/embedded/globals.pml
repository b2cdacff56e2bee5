/* Reading and writing all types of globals from C. */
/* expect: holds; states 12; transitions 12 */
mtype = { red, green, blue };
bit b;
bool flag = true;
byte by = 250;
short s = -5;
int i = 100000;
unsigned u : 3 = 6;
mtype colour = green;
byte ab[3] = 7;
short as[2];
int ai[2];
bit abit[4];

active proctype main()
{
  c_code { now.b = 1; now.flag = 0; now.by = now.by + 3; };
  c_code { now.s = now.s * 2; now.i = now.i + now.s; };
  c_code { now.u = now.u + 1; };
  c_code { now.u = now.u + 1; now.colour = now.colour + 1; };
  c_code {
    int k;
    for (k = 0; k < 3; k++)
      now.ab[k] = now.ab[k] + k;
    now.as[1] = -300;
    now.ai[0] = 1 << 20;
    now.abit[2] = 1;
  };
  assert(b == 1 && !flag && by == 253 && s == -10 && i == 99990);
  assert(u == 0 && ab[0] == 7 && ab[2] == 9);
  assert(as[0] == 0 && as[1] == -300 && ai[0] == 1048576 && abit[2] == 1);
  by = by + 4;
  assert(c_expr { now.by == 1 })
}
