/* Functions: those of c_decl know C alone, those of c_code the model too. */
/* expect: holds; states 23; transitions 63 */
c_decl {
  #define LIMIT 5
  typedef struct Pair { int first, second; } Pair;
  static int largest(int a, int b) { return a > b ? a : b; }
}
int x, y;
c_code {
  static int next(int step)
  {
    Pair p = { now.x, step };
    return largest(p.first + p.second, 1) % LIMIT;
  }
}

active proctype main()
{
  do
  :: c_code { now.x = next(1); }
  :: c_code { now.x = next(2); }
  :: atomic { c_code { now.y = next(0); }; if :: c_expr { now.y == 4 } -> break :: else fi }
  od;
  assert(x == 4)
}
