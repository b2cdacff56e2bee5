/* expect: 7:3: error: 'trun' is not declared
** expect: 5:6: note: the nearest name is 'turn'
*/
#define go (trun == 1)
byte turn;
init {
  go -> turn = 2
}
