init {
  if skip fi
}
/*
expect: 2:6: error: expected '::', found a constant
*/
