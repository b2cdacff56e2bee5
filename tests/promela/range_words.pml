/* 'value' and 'subrange' are ordinary names, wherever SPIN takes them so. */
/* expect: holds; states 14; transitions 18 */
byte value = 1, subrange[2];
mtype = { Counter };
typedef R { byte value };
R r;
inline add(subranges) { subrange[0] = subrange[0] + subranges }
proctype Value(byte subrange2)
{
  value == 2;
  r.value = subrange2
}
active proctype P()
{
  byte value2 = value;
again:
  value = value + 1;
  add(3);
  if
  :: value
  :: 1 -> skip
  :: subrange[1] -> goto again
  fi;
  run Value(value);
  assert(value == 2 && subrange[0] == 3 && value2 == 1 && Counter)
}
