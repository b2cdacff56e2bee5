byte b = 255, x = 4, a[3], n;
unsigned u : 3 = 7;
bool flag;

active proctype P()
{
  int i = 1;
  b = b + 1;
  b = x + 252;
  u++;
  x = 4;
  if
  :: assert(x == 4 && (flag || b == 9))
  :: i = 5; a[i - 2] = 1
  :: a[x] = 1
  :: d_step { n = n + 300; assert(n == 5) }
  fi
}
