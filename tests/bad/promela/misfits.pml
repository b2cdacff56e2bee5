/* expect: 6:10: warning: 300 does not fit a byte: it becomes 44
   expect: 11:6: warning: 'b' is a byte, which is never 260: this is always false
   expect: 12:10: warning: this divides by zero
   Constants that a variable cannot hold, and a division that has no value. */

byte b = 300;

init
{
  if
  :: b == 260
  :: b = b / 0
  :: else
  fi
}
