/* Two things are wrong here: an assertion, and a wait for nothing. */
byte x;
chan c = [1] of { byte };

active proctype p()
{
  if
  :: x = 1; assert(x != 1)
  :: x = 2; c?x
  fi
}
