/* Every way to wait: for a message, for room, for somebody to meet, for a
** condition, for permission. */
mtype = { ask, answer }
chan small = [1] of { byte };
chan other = [2] of { mtype, byte };
chan quiet[2] = [1] of { bit };
chan meet = [0] of { byte };
byte x = 3, turn[2];

active proctype Sender() { small!7; small!8 }
active proctype Receiver() { other!ask(1); other?answer(_) }
active proctype Chooser()
{
  if
  :: quiet[1]?1
  :: x > 3 && turn[x - 2] == 1
  :: meet!2
  fi
}
active proctype Partner() { (turn[0] == 9); meet?x }
active proctype Held() provided (x == 4) { x = 5 }
active proctype Done() { skip }
