init {
  if
  :: skip
}
/*
expect: 4:1: error: expected 'fi', found '}'
expect: 2:3: note: to close what was opened here
*/
