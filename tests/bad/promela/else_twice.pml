int x;
init {
  if
  :: x > 1
  :: else
  :: else
  fi
}
/*
expect: 6:6: error: this selection has two 'else'
*/
