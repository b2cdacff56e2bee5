/* expect: 7:1: error: expected 'fi', found '}'
** expect: 5:3: note: to close what was opened here
*/
init {
  if
  :: skip
}
