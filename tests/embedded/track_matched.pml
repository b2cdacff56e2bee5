/* c_track: memory of C is copied into the state and compared. */
/* expect: holds; states 157; transitions 253 */
c_decl { int cells[3]; static int filled; }
c_track "cells" "sizeof(cells)" "Matched"
c_track "&filled" "sizeof(int)"

active proctype writer()
{
  do
  :: c_expr { filled < 3 } -> c_code { cells[filled] = 1; filled++; }
  :: c_expr { filled < 3 } -> c_code { cells[filled] = 2; filled++; }
  :: c_expr { filled == 3 } -> break
  od
}

active proctype reader()
{
  byte k;
  c_expr { filled > 1 };
  c_code { Preader->k = cells[0] + cells[1]; };
  assert(k >= 2 && k <= 4)
}
