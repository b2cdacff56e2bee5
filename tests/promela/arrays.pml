/* Arrays of every base type, indexed by expressions, by elements of other
 * arrays and by _pid. */
/* expect: holds; states 5606; transitions 14075 */
#define N 3
byte perm[N];
bit used[N];
short deep[N];
typedef two { unsigned v : 2 }
two u[N];
bool all_set;

active [N] proctype P() {
  byte i;
  do
  :: i < N && !used[i] -> used[i] = 1; perm[_pid] = i; break
  :: i < N && used[i] -> i++
  od;
  deep[perm[_pid]] = deep[perm[_pid]] - (_pid + 1);
  u[(perm[_pid] + 1) % N].v = deep[perm[_pid]];
  if
  :: used[0] + used[1] + used[2] == N -> all_set = true
  :: else
  fi
}
