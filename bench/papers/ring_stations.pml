/* Two stations of a ring: the receiver says which block it is ready for, or
** that it is not, and the sender answers with the block or says that it has
** none.  Blocks are numbered modulo 4.  Messages may be lost, and who hears
** nothing may begin anew.  After the protocol of the Cambridge ring (Needham,
** Herbert, "The Cambridge Distributed Computing System", 1982), in SPIN's
** examples and in BEEM. */

#ifndef Q
#define Q 4
#endif
#define M 4

mtype = { ready, not_ready, data, no_data, reset };

chan to_sender = [Q] of { mtype, byte };
chan to_receiver = [Q] of { mtype, byte };

active proctype sender()
{
  byte next, asked;
  do
  :: to_sender ? ready(asked) ->
     if
     :: asked == next -> to_receiver ! data(next)
     :: asked == (next + 1) % M -> next = asked; to_receiver ! data(next)
     :: to_receiver ! no_data(asked)
     :: else -> to_receiver ! reset(0); next = 0
     fi;
     asked = 0
  :: to_sender ? not_ready(asked) -> to_receiver ! no_data(asked); asked = 0
  :: to_sender ? reset(_) -> next = 0
  :: to_sender ? _, _
  :: empty(to_sender) && empty(to_receiver) -> to_receiver ! reset(0); next = 0
  od
}

active proctype receiver()
{
  byte wanted, got;
  to_sender ! ready(0);
  do
  :: to_receiver ? data(got) ->
     if
     :: got == wanted -> wanted = (wanted + 1) % M
     :: else
     fi;
     got = 0;
     if
     :: to_sender ! ready(wanted)
     :: to_sender ! not_ready(wanted)
     fi
  :: to_receiver ? no_data(_) -> to_sender ! ready(wanted)
  :: to_receiver ? reset(_) -> wanted = 0; to_sender ! reset(0)
  :: to_receiver ? _, _
  :: empty(to_receiver) -> to_sender ! ready(wanted)
  od
}
