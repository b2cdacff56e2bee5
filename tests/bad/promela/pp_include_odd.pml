/* expect: 3:10: error: expected the name of a file: "..." or <...>
*/
#include stdio
init { skip }
