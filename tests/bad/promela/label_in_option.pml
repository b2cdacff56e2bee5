/* expect: 5:6: warning: label 'L' belongs before the selection, not after '::'
*/
init {
  if
  :: L: skip
  :: goto L
  fi
}
