init {
  agian: skip;
  goto again
}
/*
expect: 3:3: error: there is no label 'again'
expect: 2:3: note: the nearest name is 'agian'
*/
