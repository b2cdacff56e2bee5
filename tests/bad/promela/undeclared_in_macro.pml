/* expect: 5:13: error: 'trun' is not declared
** expect: 8:3: note: in the expansion of macro 'go'
** expect: 6:6: note: the nearest name is 'turn'
*/
#define go (trun == 1)
byte turn;
init {
  go -> turn = 2
}
