/* c_state "Global": part of the state, with and without initial value. */
/* expect assertions: violated; states 160; transitions 292 */
c_decl { typedef struct counter { int value; char name[4]; } counter; }
c_state "int n" "Global" "2"
c_state "counter c" "Global"
byte done;

active proctype one()
{
  do
  :: c_expr { now.n < 6 } -> c_code { now.n += 2; }
  :: c_expr { now.c.value < 3 } ->
     c_code { now.c.value++; now.c.name[now.c.value] = 'a'; }
  :: c_expr { now.n == 6 && now.c.value == 3 } -> break
  od;
  done++;
  assert(c_expr { now.n + now.c.name[3] == 6 + 'a' })
}

active proctype two()
{
  c_expr { now.n > 3 };
  c_code { now.n = 2; };
  done++
}
