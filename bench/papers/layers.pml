/* File transfer in layers: two stations with a user, a session and a flow
** control layer each, and a line between them that may lose messages (LOSS).
** A session opens a transfer, sends BLOCKS blocks and closes; the other one
** accepts or refuses.  Flow control sends one message
** at a time, with a bit, until it is acknowledged.  After PFTP (Holzmann,
** "Design and Validation of Computer Protocols", 1991, appendix F). */

#ifndef BLOCKS
#define BLOCKS 2
#endif
#ifndef LOSS
#define LOSS 0
#endif
#ifndef BOTH
#define BOTH 0 /* whether both users transfer files */
#endif
#ifndef Q
#define Q 1
#endif

mtype = { transfer, connect, accept, refuse, data, eof, closed, ack };

chan to_session[2] = [Q] of { mtype };
chan to_user[2] = [Q] of { mtype };
chan down[2] = [Q] of { mtype, byte };
chan up[2] = [Q] of { mtype, byte };
chan out[2] = [2] of { mtype, byte, bit };
chan in[2] = [2] of { mtype, byte, bit };

proctype user(bit me)
{
  do
  :: to_session[me] ! transfer;
     if
     :: to_user[me] ? closed
     :: to_user[me] ? refuse
     fi
  od
}

proctype session(bit me)
{
  byte next, block;
  mtype kind;
idle:
  next = 0;
  do
  :: to_session[me] ? transfer -> down[me] ! connect(0); goto opening
  :: up[me] ? kind, block ->
     if
     :: kind == connect ->
        if
        :: down[me] ! accept(0); goto receiving
        :: down[me] ! refuse(0)
        fi
     :: else
     fi;
     kind = 0; block = 0
  od;
opening:
  up[me] ? kind, block;
  if
  :: kind == accept -> kind = 0; goto sending
  :: kind == refuse -> kind = 0; to_user[me] ! refuse; goto idle
  :: kind == connect && me == 0 -> kind = 0; goto opening
  :: kind == connect && me == 1 ->
     /* Both asked: station 1 gives in. */
     kind = 0; to_user[me] ! refuse; down[me] ! accept(0); goto receiving
  fi;
sending:
  do
  :: atomic { next < BLOCKS && nfull(down[me]) -> down[me] ! data(next); next++ }
  :: atomic { next == BLOCKS && nfull(down[me]) -> down[me] ! eof(0); next++ }
  :: up[me] ? closed(_) -> to_user[me] ! closed; goto idle
  od;
receiving:
  up[me] ? kind, block;
  if
  :: kind == data -> assert(block == next); next++; kind = 0; block = 0;
     goto receiving
  :: kind == eof -> assert(next == BLOCKS); kind = 0;
     down[me] ! closed(0); goto idle
  fi
}

proctype flow(bit me)
{
  bit mine, expected, bit_in;
  bool waiting;
  mtype kind, sent;
  byte block, number;
  do
  :: atomic { !waiting && nempty(down[me]) -> down[me] ? sent, number;
       waiting = true };
     out[me] ! sent(number, mine)
  :: in[me] ? kind, block, bit_in ->
     if
     :: kind == ack ->
        d_step {
          if
          :: waiting && bit_in == mine ->
             waiting = false; mine = 1 - mine; sent = 0; number = 0
          :: else
          fi
        }
     :: else ->
        if
        :: bit_in == expected -> up[me] ! kind(block); expected = 1 - expected
        :: else
        fi;
        out[me] ! ack(0, bit_in)
     fi;
     d_step { kind = 0; block = 0; bit_in = 0 }
#if LOSS
  :: waiting && empty(in[me]) && empty(out[me]) -> out[me] ! sent(number, mine)
#endif
  od
}

proctype line(bit from)
{
  mtype kind;
  byte block;
  bit b;
  do
  :: atomic { out[from] ? kind, block, b -> in[1 - from] ! kind(block, b);
       kind = 0; block = 0; b = 0 }
#if LOSS
  :: out[from] ? _, _, _
#endif
  od
}

init {
  atomic {
    run user(0);
#if BOTH
    run user(1);
#endif
    run session(0); run session(1);
    run flow(0); run flow(1); run line(0); run line(1)
  }
}
