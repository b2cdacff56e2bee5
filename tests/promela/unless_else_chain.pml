/* An escape that itself has an escape, inside a loop, with else inside the
 * main part. */
/* expect: holds; states 580; transitions 955 */
byte x, y, n;

active proctype P() {
  do
  :: n < 3 ->
     {
       if
       :: x == 1 -> x = 0
       :: else -> n++
       fi;
       y = y + 1
     } unless {
       {
         x == 2;
         x = 3;
         y = y + 10
       } unless {
         y > 11 -> y = 0; n = 3
       };
       n++
     }
  :: n >= 3 -> break
  od
}

active proctype Q() { x = 1; x = 2; if :: x == 3 -> x = 2 :: x = 2 fi }
