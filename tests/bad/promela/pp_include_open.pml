/* expect: 4:14: error: expected '>' after the name of a file
** expect: 5:10: note: in the expansion of macro 'less'
*/
#define less <stdio
#include less
init { skip }
