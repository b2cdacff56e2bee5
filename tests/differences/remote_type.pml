/* Process 1 is of another type: pan compares the bare numbers of places. */
/* spin: errors 1 */
/* expect assertions: holds */
proctype R() { skip; L: skip; skip }
proctype S() { skip; skip; skip }
init { run S(); if :: R[1]@L -> assert(false) :: (_nr_pr == 1) fi }
