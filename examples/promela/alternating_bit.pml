/* The alternating bit protocol over channels that lose messages.
 *
 * The sender repeats a message until its acknowledgement comes; one bit tells
 * a new message from a repeated one.  The receiver asserts that it gets the
 * numbers in order, none missing and none twice. */
/* expect: holds; states 221; transitions 242 */

#define LAST 3

mtype = { msg, ack };

chan forth = [1] of { mtype, byte, bit };
chan back = [1] of { mtype, bit };

active proctype sender() {
  byte number = 1;
  bit b;

  do
  :: number <= LAST ->
     forth ! msg(number, b);
wait_for_ack:
     if
     :: back ? ack(eval(b)) -> number++; b = !b
     :: back ? ack(eval(!b)) -> goto wait_for_ack       /* an old one */
     :: timeout -> skip                                 /* lost: repeat */
     fi
  :: number > LAST -> break
  od;

  /* Late acknowledgements must not block the receiver. */
end:
  do
  :: back ? _, _
  od
}

active proctype receiver() {
  byte number, last;
  bit b, wanted;

  /* Waiting here for ever is fine: a label that begins with `end` says so. */
end:
  do
  :: forth ? msg(number, b) ->
     if
     :: b == wanted ->
        assert(number == last + 1);
        last = number;
        wanted = !wanted
     :: else -> skip            /* a repeated message: only acknowledge */
     fi;
     back ! ack(b)
  od
}

/* The bad weather: takes messages away, a bounded number of them. */
active proctype loss() {
  byte n;
end:
  do
  :: atomic { n < 3 && nempty(forth) -> forth ? _, _, _; n++ }
  :: atomic { n < 3 && nempty(back) -> back ? _, _; n++ }
  od
}
