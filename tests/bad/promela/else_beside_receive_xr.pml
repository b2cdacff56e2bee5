/* expect: 8:6: error: 'else' beside a send or receive cannot be used together with xr and xs
*/
chan q = [1] of { byte };
init {
  xr q;
  if
  :: q?1
  :: else
  fi
}
