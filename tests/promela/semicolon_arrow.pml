/* The arrow is just another separator, everywhere; extra separators at the
 * end of sequences and between declarations. */
/* expect end-states: violated; states 482; transitions 853 */
byte a; byte b;;

active proctype P() {
  byte i -> i = 2;
  a = 1 -> b = a -> a = 3;
  if
  :: i == 2; a = 4 -> b = 5;
  :: i == 2 -> a = 6; b = 7;
  fi;
  { a++ -> b++; };
}

active proctype Q() {
  do
  :: a > b -> b++ -> a--;
  :: a < b; a++;
  :: a == 6 -> break;
  :: b == 5 -> break;
  od;
};
