/* expect: 5:8: error: inline 'f' is defined twice
** expect: 4:8: note: the first definition
*/
inline f() { skip }
inline f() { skip }
init { f() }
