/* c_expr as a part of Promela expressions. */
/* expect: holds; states 8; transitions 8 */
int x = 4;
byte a[5] = 1;

active proctype main()
{
  x = c_expr { now.x * 2 } + 1;
  a[c_expr { now.x - 7 }] = c_expr { now.x } - 2;
  assert(a[2] == 7 && (c_expr { now.x == 9 } || false));
  if
  :: x > c_expr { now.a[2] } && !c_expr { now.a[1] == 0 } -> x = 0
  :: else -> assert(false)
  fi;
  printf("%d\n", c_expr { now.x + 3 })
}
