/* Values are one more; steps that are faults are left out. */
byte x = 1, a0, a1, a2, q;
active proctype all()
{
  do
  :: d_step { x < 3 -> x++ }
  :: d_step { x == 1 && a1 < 2 -> a1++ }
  :: d_step { x == 2 && a2 < 2 -> a2++ }
  :: d_step { a2 == 1 -> assert(a0 == 0) }
  :: d_step { q == 0 && x == 1 -> a0 = 1; q = 1 }
  :: d_step { q == 0 && x == 2 -> a1 = 1; q = 1 }
  :: d_step { q == 0 && x == 3 -> a2 = 1; q = 1 }
  :: d_step { q == 1 -> assert(x != 2); q = 2 }
  od
}
