/* What is sent last needs the room that another process made. */
byte j;
chan c = [1] of { byte };

active proctype sender()
{
  c!1;
  c!2;
  assert(false)
}

active proctype other()
{
  c?1
}

active proctype idle()
{
  j = 1;
  j = 2
}
