bool f0, f1, f2, done;
byte r = 2, g = 2, s0, s1, s2, cr, cg;
active proctype all()
{
  do
  :: d_step { s0 == 0 && r == 2 -> r = 0; s0 = 1 }
  :: d_step { s0 == 0 && g == 2 -> g = 0; s0 = 1 }
  :: d_step { s1 == 0 && r == 2 -> r = 1; s1 = 1 }
  :: d_step { s1 == 0 && g == 2 -> g = 1; s1 = 1 }
  :: d_step { s2 == 0 && r == 2 -> r = 2; s2 = 1 }
  :: d_step { s2 == 0 && g == 2 -> g = 2; s2 = 1 }
  :: d_step { s0 == 1 -> f0 = 1; s0 = 2 }
  :: d_step { s1 == 1 -> f1 = 1; s1 = 2 }
  :: d_step { s2 == 1 -> f2 = 1; s2 = 2 }
  :: d_step { cr == 0 && (f0 && r == 0 || f1 && r == 1 || f2 && r == 2) ->
       f0 = 0; f1 = 0; f2 = 0; cr = 1 }
  :: d_step { cg == 0 && (f0 && g == 0 || f1 && g == 1 || f2 && g == 2) ->
       f0 = 0; f1 = 0; f2 = 0; cg = 1 }
  :: d_step { !done && !f0 && !f1 && r < 2 && g < 2 -> done = 1 }
  od
}
