/* Variables of blocks: equal names in neighbouring blocks are different
 * variables, and a block that is entered again finds the old value unless
 * the declaration has an initialiser that is run again. */
/* expect: holds; states 1623; transitions 2836 */
byte x = 1;
byte out[3];

active proctype P() {
  byte i;
  do
  :: i < 3 -> {
       byte kept;
       kept = kept + 5 + i;
       out[i] = kept;
       {
         byte fresh = 7;
         out[i] = out[i] + fresh;
         fresh++
       };
       {
         int fresh;
         fresh = fresh - out[i];
         x = fresh
       }
     };
     i++
  :: i == 3 -> break
  od;
  out[0] = out[0] + x
}

active proctype Q() {
  { byte y = 1; x = x + y };
  { byte y = 2; x = x * y };
  { int y; y = y - x; x = y };
  byte y = 5;
  x = x + y
}
