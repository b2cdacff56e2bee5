byte x;

active proctype main()
{
  if
  :: x == 0 -> x = 1
  :: x == 7 -> x = 2; x = 3
  fi;
  printf("x is %d\n", x)
}

proctype never_run(byte n)
{
  x = n
}
