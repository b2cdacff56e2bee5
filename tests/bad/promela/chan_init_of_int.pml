/* expect: 3:5: error: only a chan can be initialised with a channel
*/
int x = [2] of { byte };
init { skip }
