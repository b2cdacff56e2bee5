/* expect: 3:10: error: the name of a file is missing
*/
#include ""
init { skip }
