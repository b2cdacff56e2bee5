/* expect: 6:3: error: there is no label 'again'
** expect: 5:3: note: the nearest name is 'agian'
*/
init {
  agian: skip;
  goto again
}
