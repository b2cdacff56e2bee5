/* Sequences of A and B as far as they change something: ap and bp count. */
byte kind, seq, last, ap, bp, g, k = 1, q0, q1, grid;
active proctype all()
{
end:
  do
  :: d_step { ap == 0 -> kind = 1; last = 1; ap = 1 }
  :: d_step { ap == 1 -> seq = 0; ap = 2 }
  :: d_step { ap == 1 -> seq = 1; ap = 2 }
  :: d_step { ap == 2 -> ap = 3;
       if :: bp == 0 -> g = 5 + seq; k = 0; bp = 1 :: else fi }
  :: d_step { ap == 3 -> grid = 1; ap = 4 }
  :: d_step { ap == 4 -> q0 = 5 + seq; ap = 5 }
  :: d_step { ap == 5 -> assert(q0 == 5 + seq); ap = 6 }
  :: d_step { bp == 1 -> q1 = g; bp = 2 }
  :: d_step { bp == 2 -> assert(q1 >= 5 && k == 0); bp = 3 }
  :: d_step { bp == 3 -> bp = 4 }
  od
}
