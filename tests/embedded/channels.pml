/* C between messages; the number of a channel is a value like any other. */
/* expect: holds; states 75; transitions 117 */
chan q = [2] of { byte, short };
chan r = [0] of { byte };
chan other;
byte got;

active proctype sender()
{
  byte k;
  c_code { now.other = now.q; };
  do
  :: c_expr { Psender->k < 3 } ->
     other ! k, c_expr { Psender->k * -100 };
     c_code { Psender->k++; }
  :: else -> break
  od;
  r ! c_expr { now.got }
}

active proctype receiver()
{
  byte a, b;
  short n;
  do
  :: q ? a, n -> assert(c_expr { Preceiver->n == Preceiver->a * -100 });
     c_code { now.got |= 1 << Preceiver->a; }
  :: r ? b -> break
  od;
  assert(c_expr { Preceiver->b <= now.got })
}
