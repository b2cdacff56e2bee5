/* A loop through a label of acceptance, thirty steps from the start, beside a
** stack of numbers that grows.
** expect acceptance: violated */

int top;
byte way;

active proctype Stack()
{
  do
  :: top = top + 3
  :: top > 5 -> top = top - 2
  od
}

active proctype Walker()
{
  do
  :: way < 15 -> way++
  :: way == 15 -> break
  od;
accept:
  do
  :: way == 15 -> way = 16
  :: way == 16 -> way = 15
  od
}
