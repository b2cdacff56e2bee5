/* A file transfer with a sliding window over a line that loses frames.
 *
 * The sender may have WINDOW frames under way before the first of them is
 * acknowledged, and goes back to the oldest one when nothing moves any more.
 * Frames carry their number modulo MODULUS, which must be larger than WINDOW:
 * set MODULUS to WINDOW, and the assertion fails. */
/* expect: holds; states 1385; transitions 2433 */

#ifndef WINDOW
#define WINDOW 2
#endif
#ifndef MODULUS
#define MODULUS 3
#endif
#define BLOCKS 4        /* length of the file */

chan line = [WINDOW] of { byte, byte };  /* number modulo, block */
chan acks = [1] of { byte };             /* next number wanted, modulo */

active proctype sender() {
  byte base;            /* oldest block not acknowledged */
  byte next;            /* next block to send */
  byte a;

  do
  :: next < BLOCKS && next < base + WINDOW && nfull(line) ->
     if
     :: line ! next % MODULUS, next
     :: skip                                    /* lost on the way */
     fi;
     next++
  :: acks ? a ->
     /* Move the window up to the number that the receiver waits for. */
     do
     :: base < next && base % MODULUS != a -> base++
     :: else -> break
     od
  :: timeout && base < BLOCKS -> next = base    /* go back */
  :: base == BLOCKS -> break
  od
}

active proctype receiver() {
  byte wanted;          /* number of the next block, the true one */
  byte number, block;

end:
  do
  :: line ? number, block ->
     if
     :: number == wanted % MODULUS ->
        assert(block == wanted);
        wanted++
     :: else -> skip
     fi;
     if
     :: acks ! wanted % MODULUS
     :: skip                                    /* lost on the way */
     fi
  od
}
