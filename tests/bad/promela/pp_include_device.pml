/* expect: 3:10: error: this is not a plain file; with --cpp the system's preprocessor reads the model
*/
#include "/dev/null"
init { skip }
