#define N 3
byte turns;
byte counter;
chan q = [2] of { byte };

active [2] proctype worker()
{
  byte tmp, i;
  do
  :: i < N ->
     tmp = i * 2;
     tmp = tmp + 1;
     i++;
     q!tmp
  :: i == N -> i = 0
  od
}

active proctype collector()
{
  byte m;
  do
  :: q?m -> counter = (counter + m) % 8
  :: counter > 5 -> counter = 0
  od
}
