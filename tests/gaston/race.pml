byte torn, whole, c0, n0, p0, c1, n1, p1;
active proctype all()
{
end:
  do
  :: d_step { p0 == 0 && n0 < 2 -> p0 = 1 }
  :: d_step { p0 == 0 && n0 == 2 -> p0 = 3 }
  :: d_step { p0 == 1 -> c0 = torn; whole++; p0 = 2 }
  :: d_step { p0 == 2 -> torn = c0 + 1; n0++; p0 = 0 }
  :: d_step { p1 == 0 && n1 < 2 -> p1 = 1 }
  :: d_step { p1 == 0 && n1 == 2 -> p1 = 3 }
  :: d_step { p1 == 1 -> c1 = torn; whole++; p1 = 2 }
  :: d_step { p1 == 2 -> torn = c1 + 1; n1++; p1 = 0 }
  od
}
