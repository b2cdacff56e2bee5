/* expect: 3:28: error: preprocessor: #include nested depth 200 exceeds maximum of 200
*/
#include "include_loop.pml"
init { skip }
