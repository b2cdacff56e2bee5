/* expect: 4:6: error: expected '::', found a constant
*/
init {
  if skip fi
}
