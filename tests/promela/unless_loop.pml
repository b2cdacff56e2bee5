/* unless around a single statement, inside a loop, and with timeout. */
/* expect: holds; states 125; transitions 206 */
byte i, j;

active proctype P() {
  do
  :: i < 4 -> { i++ } unless { j == 1 -> j = 0 }
  :: i == 4 -> { j == 5 } unless { timeout -> i = 9; break }
  od;
  { i = 10 } unless { else -> i = 11 }
}

active proctype Q() {
  j = 1;
  j = 1;
  if :: i > 2 -> j = 1 :: i <= 2 fi
}
