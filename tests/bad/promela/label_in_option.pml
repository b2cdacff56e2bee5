init {
  if
  :: L: skip
  :: goto L
  fi
}
/*
expect: 3:6: warning: label 'L' belongs before the selection, not after '::'
*/
