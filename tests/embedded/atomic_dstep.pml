/* C inside atomic sequences and d_steps, as guard and as statement. */
/* expect: holds; states 82; transitions 162 */
c_state "int fast" "Global"
int slow;

active [2] proctype main()
{
  byte k;
  do
  :: atomic { c_expr { now.fast < 3 } -> c_code { now.fast++; }; slow++ }
  :: d_step { c_expr { now.fast == 3 } -> k = 0;
       do
       :: c_expr { Pmain->k < 3 } -> c_code { Pmain->k++; now.fast--; }
       :: else -> break
       od; slow = slow - 3 }
  :: d_step { c_expr { now.slow > 2 }; c_code { now.slow = now.slow; } } -> break
  od;
  assert(c_expr { now.fast == now.slow })
}
