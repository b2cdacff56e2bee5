/* The last statement of an atomic sequence is a goto or an if whose options
 * end at different places; a label just behind. */
/* expect: holds; states 203; transitions 358 */
byte x, y;

active [2] proctype P() {
  byte n;
loop:
  atomic {
    n++;
    x++;
    if
    :: n < 3 -> goto loop
    :: n == 2 -> y++
    :: else
    fi
  };
after:
  atomic { y = y + x; x = 0; goto last };
  y = 50;
last:
  atomic { if :: y > 3 -> y = 3 :: y <= 3 -> skip fi }
}
