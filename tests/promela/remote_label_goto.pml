/* Remote references to labels on gotos and on nested statements. */
/* expect end-states: violated; states 82; transitions 116 */
byte x, r;

active proctype P() {
  do
  :: x < 2 -> x++;
     if
     :: x == 1 ->
hop:    goto next
     :: x == 2 -> skip
     fi;
     x = x + 2;
next:
     skip
  :: x >= 2 ->
stop: break
  od
}

active proctype W() {
  do
  :: P@hop -> r = r + 1; break
  :: P@stop -> r = r + 2; break
  :: P@next && r < 2 -> r = r + 4
  od
}
