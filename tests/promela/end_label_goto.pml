/* End labels on gotos, on blocks and inside atomic; unreachable ends. */
/* expect end-states: violated; states 38; transitions 60 */
byte x, y;

active proctype A() {
  if
  :: x == 0 -> goto end_a
  :: x == 1 -> goto wait
  fi;
wait:
  y == 3;
end_a: if
  :: x == 2 -> y = 1
  :: x == 3 -> goto wait
  fi;
end_g: goto end_a
}

active proctype B() {
  if :: x = 1 :: x = 3 :: x = 2 fi;
end_b: { y == 1; x = 0 }
}

active proctype C() {
  atomic { y == 1 -> y = 0;
end_c: y == 9 }
}
