/* The words show, hidden and local before declarations; a hidden variable
 * is no part of the state. */
/* expect: holds; states 186; transitions 347 */
show byte visible;
hidden byte scratch;
local bit mine;
hidden int more[2];

active proctype A() {
  byte i;
  do
  :: i < 3 -> i++; scratch = i; visible = visible + scratch
  :: i == 3 -> break
  od
}

active proctype B() {
  show byte k;
  local byte j = 2;
  do
  :: j > 0 -> j--; more[j] = j; k = k + 2; mine = !mine
  :: visible > 2 -> break
  od
}
