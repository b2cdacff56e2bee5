/* Every process picks one of V values, once: few levels, of which the largest has
 * about a third of all states. */
#ifndef N
#define N 9
#endif
byte value[N];
active [N] proctype choose() {
  if
  :: value[_pid] = 1
  :: value[_pid] = 2
  :: value[_pid] = 3
  :: value[_pid] = 4
  fi;
end:
  false
}
