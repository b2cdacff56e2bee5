/* A d_step that starts with else: it stands aside when another option of the
 * same choice, itself a d_step, can be executed. */
/* expect: holds; states 98; transitions 187 */
byte word = 1, slept, refused;
bool waiting;

active proctype Sleeper() {
  do
  :: if
     :: d_step { word == 1 -> waiting = true; slept++ };
        d_step { !waiting -> skip }
     :: d_step { else -> refused++ }
     fi;
     if
     :: slept + refused > 3 -> break
     :: else
     fi
  od
}

active proctype Waker() {
end:
  do
  :: word = 1 - word
  :: d_step { waiting -> waiting = false }
  od
}
