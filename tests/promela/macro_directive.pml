/* A directive between the arguments of a macro, with calls of its own that nest
 * deeper than those before: memory for calls moves while an argument is read. */
/* expect: holds; states 4; transitions 4 */
#define f(x) x
#define two(x) (x + x)
byte a;
init {
  a = f(f(
#if f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(two(1))))))))))))))))))))) == 2
        two(1) +
#else
        1 +
#endif
        1));
  assert(a == 3)
}
