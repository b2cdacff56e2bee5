/* In a d_step a choice between several enabled options takes the first
 * one, so no branching comes from inside. */
/* expect: holds; states 339; transitions 551 */
byte x, y;

active [2] proctype P() {
  d_step {
    if
    :: x > 5 -> y = 1
    :: x >= 0 -> y = 2
    :: true -> y = 3
    fi;
    x = x + 3;
    do
    :: y < 6 -> y = y + 2
    :: y > 3 -> break
    od
  };
  x = x + y
}

active proctype Q() { if :: x = 1 :: x = 7 fi; y = 0 }
