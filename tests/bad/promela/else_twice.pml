/* expect: 8:6: error: this selection has two 'else'
*/
int x;
init {
  if
  :: x > 1
  :: else
  :: else
  fi
}
