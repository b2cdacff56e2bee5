/* Records, arrays of records and records inside records. */
/* expect: holds; states 31; transitions 45 */
typedef point { short x; short y }
typedef line { point a; point b[2]; bit drawn }
line l[2];
point p;

active [2] proctype main()
{
  point mine;
  c_code {
    Pmain->mine.x = 3 + Pmain->_pid;
    now.l[Pmain->_pid].b[1].y = -Pmain->mine.x;
    now.l[Pmain->_pid].drawn = 1;
    now.p = Pmain->mine;
  };
  assert(l[_pid].b[1].y == -mine.x && l[_pid].drawn);
  atomic {
    c_expr { now.l[0].drawn && now.l[1].drawn };
    assert(p.x == 3 || p.x == 4)
  }
}
