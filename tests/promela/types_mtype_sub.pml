/* mtype with subtypes: each subtype is numbered on its own; variables,
 * parameters, fields and channels of a subtype. */
/* expect: holds; states 854; transitions 1971 */
mtype:fruit = { apple, pear, plum };
mtype:size = { small, large };
mtype = { plain };

typedef item { mtype:fruit f; mtype:size s }

chan belt = [2] of { mtype:fruit, mtype:size };
item box[2];
mtype:size wanted = large;

proctype pick(mtype:fruit f; mtype:size s) {
  belt ! f, s;
  mtype x = plain;
  assert(x == 1)
}

active proctype packer() {
  mtype:fruit f;
  mtype:size s;
  byte n;
  do
  :: n < 2 && belt ? [apple, large] -> belt ? apple, s; box[n].f = apple;
     box[n].s = s; n++
  :: n < 2 && nempty(belt) -> belt ? f, s; box[n].f = f; box[n].s = wanted;
     n++; wanted = small
  :: n == 2 -> break
  od
}

init {
  assert(small != large && apple != pear);
  run pick(apple, large);
  run pick(pear, small);
}
