/* d_step, atomic, processes that come and go, a record, an array. */
typedef point { byte x; bit seen[2] }
point p;
short a[3];

proctype worker(byte id; bool last)
{
  atomic {
    a[id] = id * 100;
    p.x = p.x + 1
  }
  if
  :: last -> assert(p.x != 2)
  :: !last
  fi
}

init
{
  d_step {
    p.x = 0;
    p.seen[1] = 1;
    a[2] = -1
  }
  run worker(0, false);
  run worker(1, true)
}
