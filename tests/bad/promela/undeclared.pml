/* expect: 6:10: error: 'trun' is not declared
** expect: 4:6: note: the nearest name is 'turn'
*/
byte turn;
init {
  turn = trun;
}
