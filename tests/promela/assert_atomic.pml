/* Failing assertions inside atomic and d_step, and in an inline. */
/* expect assertions: violated; states 41; transitions 59 */
byte a, b;

inline inv() { assert(a >= b) }

active proctype P() {
  atomic { a = 1; inv(); b = 2; inv(); a = 3 };
  d_step { b = 4; inv(); a = 5 };
  inv()
}

active proctype Q() { a = 0; inv(); b = 0 }
