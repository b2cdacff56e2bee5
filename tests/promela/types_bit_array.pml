/* Elements of bit and bool arrays are stored as bytes: values above 1 stay,
 * unlike in single variables and fields. */
/* expect: holds; states 4707; transitions 8991 */
bit ba[2];
bool bo[2];
bit single;
typedef rec { bit one; bit many[2]; bool flag }
rec r;

active [2] proctype P() {
  bit la[2];
  byte k = 1;
  do
  :: k < 4 -> k++;
     ba[_pid] = k;
     bo[1 - _pid] = k * 100;
     single = k;
     la[0] = ba[0] + bo[0]
  :: k == 3 -> r.one = la[0]; r.many[_pid] = la[0]; r.flag = k; break
  :: k == 4 -> r.many[1] = -1; break
  od;
  la[1] = la[0] * 2;
  single = la[1]
}
