/* expect: 4:25: error: field 'a' is declared twice
** expect: 4:17: note: the first declaration
*/
typedef T { int a; byte a };
init { skip }
