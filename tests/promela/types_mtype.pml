/* mtype constants: several declarations share one numbering, the first name
 * of a list gets the highest number; arithmetic shows the numbers. */
/* expect: holds; states 32; transitions 32 */
mtype = { red, green, blue };
mtype = { north, south };
mtype m = green;
mtype dirs[2];
byte sum;

active proctype P() {
  mtype l = blue;
  assert(red > green && green > blue);
  if
  :: dirs[0] = north; m = red
  :: dirs[1] = south; m = blue
  :: m = dirs[0]; assert(m == 0)
  fi;
  do
  :: m == red -> m = green; sum = sum + m * 10
  :: m == green -> m = l; sum = sum + north
  :: m == blue -> m = m + 1; break
  :: m == 0 -> m = south
  :: m == south -> m = red + 250
  :: else -> break
  od;
  printf("%e %d\n", m, m);
  printm(l)
}
