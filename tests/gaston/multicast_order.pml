byte v, w, ap, bp, cp;
active proctype all()
{
end:
  do
  :: d_step { ap == 0 -> v = 1; w = 1; v = v + 2; v = v + 3; v = v + w;
       ap = 1; bp = 1; cp = 1 }
  :: d_step { ap == 1 -> ap = 2 }
  od
}
