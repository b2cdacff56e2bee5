/* expect: 6:6: warning: 'unless' at the start of an option: dubious
*/
int x;
init {
  if
  :: x > 1 unless x > 2
  :: x < 1
  fi
}
