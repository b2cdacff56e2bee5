byte i, shared, u, w;
active proctype all()
{
  do
  :: d_step { u == 0 && i < 3 -> i++; u = 1 }
  :: d_step { u == 0 && !(i < 3) -> u = 3 }
  :: d_step { u == 1 && i == 2 -> u = 2 }
  :: d_step { u == 1 && i != 2 -> shared = 0; u = 0 }
  :: d_step { u == 2 -> shared = i; u = 0 }
  :: d_step { u == 3 && i > 0 -> u = 4 }
  :: d_step { u == 3 && !(i > 0) -> u = 7 }
  :: d_step { u == 4 && i % 2 == 1 -> u = 5 }
  :: d_step { u == 4 && i % 2 == 0 -> i-- }
  :: d_step { u == 5 -> i--; u = 6 }
  :: d_step { u == 6 && i == 0 -> u = 7 }
  :: d_step { u == 6 && i != 0 -> u = 3 }
  :: d_step { w == 0 && shared == 2 -> shared = 1; w = 1 }
  :: d_step { w == 0 && shared == 3 -> w = 1 }
  :: d_step { w == 1 && shared == 0 -> w = 2 }
  od
}
