/* expect: 7:6: warning: 'else' beside a send or receive: dubious
*/
chan q = [1] of { byte };
init {
  if
  :: q?1
  :: else
  fi
}
