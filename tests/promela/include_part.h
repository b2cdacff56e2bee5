/* The part that include_main.pml includes. */
#define MAXIMUM 4

byte level;

inline shared_step(v) {
  if
  :: v < MAXIMUM -> v++
  :: v > 1 -> v = v - 2
  fi
}
