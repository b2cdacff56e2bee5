/* #include of a file beside the model. */
/* expect assertions: violated; states 87; transitions 155 */
#include "include_part.h"

active [2] proctype P() {
  shared_step(level);
  shared_step(level);
  assert(level <= MAXIMUM)
}
