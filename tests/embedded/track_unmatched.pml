/* UnMatched: restored when the search goes back, but not compared. */
/* expect: holds; states 15; transitions 18 */
c_decl { int steps; }
c_track "&steps" "sizeof(int)" "UnMatched"
byte x;

active proctype main()
{
  do
  :: x < 4 -> atomic { x++; c_code { steps++; } }
  :: x < 3 -> atomic { x = x + 2; c_code { steps += 2; } }
  :: x >= 4 -> break
  od;
  assert(c_expr { steps == now.x })
}
