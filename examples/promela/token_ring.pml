/* A token ring: who holds the token may use the shared line.
 *
 * The stations pass the token by handshake (a channel of length 0), so that
 * it can neither be lost nor doubled.  One station may keep its message for
 * later and pass the token at once. */
/* expect: holds; states 1333; transitions 3174 */

#define N 3

chan ring[N] = [0] of { bit };
byte on_line;           /* stations that send at the moment */
byte sent;              /* modulo 4, so that the space is finite */

active [N] proctype station() {
  bool has_message;

  if
  :: _pid == 0 -> goto has_token        /* the token starts here */
  :: else -> skip
  fi;

  do
  :: !has_message -> has_message = true
  :: ring[_pid] ? 1 ->
has_token:
     if
     :: has_message ->
        on_line++;
        assert(on_line == 1);
        sent = (sent + 1) % 4;
        on_line--;
        has_message = false
     :: true -> skip
     fi;
     ring[(_pid + 1) % N] ! 1
  od
}
