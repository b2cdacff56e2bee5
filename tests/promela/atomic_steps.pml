/* Atomic sequences with choices, messages and what is stored by them, in two
 * processes that use the same variables.  Nothing blocks in between. */
/* expect: holds; states 1006; transitions 2709 */
byte turn, x, y;
chan q = [2] of { byte };

active [2] proctype P()
{
  byte n;
  do
  :: atomic { turn == _pid -> x++; y = x + 1; turn = 1 - _pid;
       if
       :: n < 2 -> n++; x = 0
       :: n >= 2 -> break
       fi
     }
  :: atomic { q!n; skip; y = 3 }
  :: atomic { q?n; y = n }
  od;
  skip
}
