/* expect: 5:2: error: '#include' between the arguments of a macro is not known here; with --cpp the system's preprocessor reads the model
*/
#define f(x) x
init { f(
#include "x.h"
) }
