byte turn;
init {
  turn = trun;
}
/*
expect: 3:10: error: 'trun' is not declared
expect: 1:6: note: the nearest name is 'turn'
*/
