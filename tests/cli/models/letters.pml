/* What a message needs that is taken later: that it was sent, and those before it
** taken.  Messages of others do not matter. */
byte j;
chan c = [1] of { byte };
chan d = [1] of { byte };

active proctype sender()
{
  c!1;
  c!2
}

active proctype other()
{
  c?1
}

active proctype taker()
{
  c?2;
  assert(false)
}

active proctype idle()
{
  d!1;
  d?j;
  d!2;
  d?j
}
