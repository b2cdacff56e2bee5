/* else of an outer selection whose other options begin with inner
 * selections and blocks, and else inside them. */
/* expect: holds; states 1456; transitions 2302 */
byte x, r;

active proctype P() {
  byte i;
  do
  :: i < 3 ->
     if
     :: { x == 1; r++ }
     :: if
        :: x == 2 -> r = r + 10
        :: x > 3 -> r = r + 20
        fi
     :: atomic { x == 3 -> r = r + 30; r++ }
     :: else -> r = r + 100; if :: x == 0 -> r++ :: else -> r-- fi
     fi;
     i++
  :: else -> break
  od
}

active proctype Q() { x = 1; x = 2; x = 3; x = 4; x = 0 }
