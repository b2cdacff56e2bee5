/* mtype declared without the equal sign, in two lists, used as messages. */
/* expect: holds; states 155; transitions 263 */
mtype { open, close };
mtype { lock, unlock };
chan door = [1] of { mtype };
bool is_open, locked;

active proctype user() {
  do
  :: door ! open
  :: door ! close
  :: door ! lock
  :: door ! unlock; break
  od
}

active proctype control() {
  mtype m;
end:
  do
  :: door ? m;
     if
     :: m == open && !locked -> is_open = true
     :: m == close -> is_open = false
     :: m == lock && !is_open -> locked = true
     :: m == unlock -> locked = false
     :: else
     fi;
     assert(!(is_open && locked))
  od
}
