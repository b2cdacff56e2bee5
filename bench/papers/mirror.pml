/* Mirrored variables: N pairs of a value and its copy, which always change
** together, as one side of a protocol knows what the other one has.  When a
** copy comes right behind its value a diagram needs a few nodes for each pair;
** when all values come before all copies (TORN), it must remember all of them at once.
** After the good and the bad case of the sharing-tree paper. */

#ifndef N
#define N 3
#endif
#ifndef MAX
#define MAX 9
#endif

#ifdef TORN
byte first[N], second[N];
#define value(i) first[i]
#define copy(i) second[i]
#else
typedef pair { byte first, second }
pair p[N];
#define value(i) p[i].first
#define copy(i) p[i].second
#endif

active [N] proctype count()
{
  do
  :: d_step { value(_pid) < MAX -> value(_pid)++; copy(_pid)++ }
  :: d_step { value(_pid) == MAX -> value(_pid) = 0; copy(_pid) = 0 }
  od
}
