/* expect: 6:9: error: inline 'f' has 2 parameters, this call has 1 argument
** expect: 4:8: note: defined here
*/
inline f(a, b) { a = b }
int x;
init { f(x) }
