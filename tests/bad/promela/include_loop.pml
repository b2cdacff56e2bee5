/* expect: 3:10: error: too many files are included; do they include each other?
*/
#include "include_loop.pml"
init { skip }
