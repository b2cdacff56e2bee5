/* timeout beside else and receives in the same selection, inside atomic. */
/* expect: holds; states 144; transitions 192 */
chan c = [1] of { byte };
byte tries, lost;

active proctype sender() {
  do
  :: tries < 3 -> tries++;
     if
     :: c ! tries
     :: lost++
     fi
  :: timeout -> atomic { tries = 5; break }
  od
}

active proctype receiver() {
  byte b;
  do
  :: c ? b; assert(b > 0)
  :: timeout; break
  od;
  if
  :: timeout -> lost = 99
  :: tries == 5 -> lost = lost + 50
  fi
}
