/* What was sent first is taken first: both must have been sent. */
byte j;
chan c = [3] of { byte };

active proctype sender()
{
  c!1;
  c!2
}

active proctype taker()
{
  byte x;
  c?x;
  c?x;
  assert(x != 2)
}

active proctype idle()
{
  j = 1;
  j = 2;
  j = 3
}
