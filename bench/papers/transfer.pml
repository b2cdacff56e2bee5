/* A file transfer protocol: LINES pairs of a sender and a receiver move files of
** BLOCKS blocks over lines that may lose a block or an acknowledgement, with a
** bit for repetitions, and a manager lets at most OPEN of them transfer at a
** time.  Eleven processes and some 190 variables with five lines; after the
** protocol of the sharing-tree experiments. */

#ifndef LINES
#define LINES 5
#endif
#ifndef BLOCKS
#define BLOCKS 3
#endif
#ifndef OPEN
#define OPEN 2
#endif

typedef link {
  bool loaded, parity;     /* a block on its way */
  byte block;
  bool reply, reply_bit; /* an acknowledgement on its way */
  bool open, wanted;
  byte sent, received;
  bool send_bit, receive_bit;
  byte file[BLOCKS], copy[BLOCKS];
  byte losses;
}

link line[LINES];
byte busy;

active [LINES] proctype sender()
{
  do
  :: atomic { !line[_pid].wanted && !line[_pid].open ->
       line[_pid].wanted = true; line[_pid].sent = 0;
       line[_pid].file[0] = _pid + 1 }
  :: atomic { line[_pid].open && !line[_pid].loaded && line[_pid].sent < BLOCKS ->
       line[_pid].loaded = true; line[_pid].parity = line[_pid].send_bit;
       line[_pid].block = line[_pid].sent }
  :: atomic { line[_pid].reply ->
       line[_pid].reply = false;
       if
       :: line[_pid].reply_bit == line[_pid].send_bit &&
          line[_pid].sent < BLOCKS ->
          line[_pid].send_bit = !line[_pid].send_bit; line[_pid].sent++
       :: else
       fi }
  :: atomic { line[_pid].loaded && line[_pid].losses < 1 ->
       line[_pid].loaded = false; line[_pid].losses++ }
  od
}

active [LINES] proctype receiver()
{
  byte me = _pid - LINES;
  do
  :: atomic { line[me].loaded && !line[me].reply ->
       line[me].loaded = false;
       if
       :: line[me].parity == line[me].receive_bit ->
          line[me].copy[line[me].block] = line[me].file[line[me].block];
          line[me].receive_bit = !line[me].receive_bit;
          line[me].received++
       :: else
       fi;
       line[me].reply = true; line[me].reply_bit = line[me].parity }
  od
}

active proctype manager()
{
  byte i;
  do
  :: atomic { busy < OPEN -> select(i : 0 .. LINES - 1);
       if
       :: line[i].wanted && !line[i].open ->
          line[i].open = true; line[i].wanted = false; busy++
       :: else
       fi;
       i = 0 }
  :: atomic { busy > 0 -> select(i : 0 .. LINES - 1);
       if
       :: line[i].open && line[i].sent == BLOCKS && !line[i].loaded &&
          !line[i].reply ->
          line[i].open = false; line[i].received = 0; line[i].losses = 0;
          line[i].block = 0; busy--
       :: else
       fi;
       i = 0 }
  od
}
