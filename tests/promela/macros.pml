/* The preprocessor: constants, macros with arguments, conditionals,
 * undef, and a macro that makes a whole proctype. */
/* expect: holds; states 429; transitions 956 */
#define LIMIT 3
#define INC(v, k) v = (v + (k)) % (LIMIT + 1)
#define BOTH(a, b) ((a) && (b))
#ifdef LIMIT
#define START 1
#else
#define START 0
#endif
#if LIMIT > 2 && !defined(OTHER)
#define PROC(name, var, step) \
  active proctype name() { \
    byte i; \
    do \
    :: i < 2 -> INC(var, step); i++ \
    :: else -> break \
    od \
  }
#endif

byte x = START, y;

PROC(left, x, 1)
PROC(right, y, 2)

#undef START
#define START 2
active proctype watch() {
  if
  :: BOTH(x == START, y == 0) -> x = 0
  :: BOTH(y == START, x != 1) -> y = 1
  :: timeout
  fi
}
