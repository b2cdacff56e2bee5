/* A mixture: typedef, atomic, d_step, inline, channels, timeout and labels in
 * a lift with two floors' buttons. */
/* expect assertions: violated; states 694; transitions 1319 */
#define FLOORS 3
typedef cabin { byte at; bit up; bool door }
cabin lift;
bool wanted[FLOORS];
chan bell = [1] of { byte };
byte served;

inline nearest(target) {
  d_step {
    target = FLOORS;
    if
    :: wanted[lift.at] -> target = lift.at
    :: else ->
       if
       :: lift.up && lift.at < FLOORS - 1 -> target = lift.at + 1
       :: !lift.up && lift.at > 0 -> target = lift.at - 1
       :: else -> lift.up = !lift.up; target = lift.at
       fi
    fi
  }
}

active proctype control() {
  byte t;
end:
  do
  :: wanted[0] || wanted[1] || wanted[2] ->
     nearest(t);
     if
     :: t == lift.at && wanted[t] ->
        lift.door = true;
        atomic { wanted[t] = false; bell ! t };
        lift.door = false
     :: else -> assert(!lift.door); lift.at = t
     fi;
     t = 0
  od
}

active proctype people() {
  byte k;
  do
  :: k < 3 -> atomic { wanted[k] = true; k++ }
  :: k < 3 -> k++
  :: bell ? [served] -> bell ? served; assert(lift.at == served)
  :: timeout -> break
  od
}
