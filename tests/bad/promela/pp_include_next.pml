/* expect: 3:2: error: '#include_next' is not known here; with --cpp the system's preprocessor reads the model
*/
#include_next "x.h"
init { skip }
