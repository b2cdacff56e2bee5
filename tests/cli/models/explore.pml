byte n;
chan c = [1] of { byte };

active proctype sender()
{
  do
  :: n < 3 -> n++; c!n
  od
}

active proctype receiver()
{
  byte got;
  do
  :: c?got
  :: got == 3 -> break
  od
}
