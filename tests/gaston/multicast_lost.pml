/* The same with everything in one process.  cp = 1: the loop of Clock ended. */
byte time, fast, slow, cp, sp;
active proctype all()
{
  do
  :: d_step { cp == 0 && time < 2 ->
       fast++;
       if :: sp == 0 -> slow++; sp = 1 :: else fi;
       time++ }
  :: d_step { cp == 0 && !(time < 2) -> cp = 1 }
  :: d_step { sp == 1 -> sp = 0 }
  od
}
