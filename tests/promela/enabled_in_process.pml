/* enabled(pid) and pc_value(pid) as guards of a process; pc values are SPIN's
 * numbers of statements. */
/* expect: holds; states 25; transitions 33 */
byte x;
active proctype P() { x = 1; x = 2 }
active proctype Q() {
  if
  :: enabled(0) -> x = x + 10
  :: pc_value(0) > 1 -> x = x + 20
  fi
}
