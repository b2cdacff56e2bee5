/* An assertion over C that fails. */
/* expect assertions: violated; states 31; transitions 33 */
c_decl { int a[4]; }
c_track "a" "sizeof(a)"
byte i;

active proctype main()
{
  do
  :: i < 4 -> c_code { a[now.i] = now.i * now.i; now.i++; }
  :: i < 4 -> c_code { a[now.i] = now.i; now.i++; }
  :: i == 4 -> break
  od;
  assert(c_expr { a[0] + a[1] + a[2] + a[3] != 8 })
}
