#define go (trun == 1)
byte turn;
init {
  go -> turn = 2
}
/*
expect: 4:3: error: 'trun' is not declared
expect: 2:6: note: the nearest name is 'turn'
*/
