/* An index that the assignment changes: pan puts the old value back elsewhere. */
/* spin: errors 1 */
/* expect assertions: holds */
byte a[2];
init {
  if
  :: a[a[0] & 1] = 1
  :: assert(a[0] == 0)
  fi
}
