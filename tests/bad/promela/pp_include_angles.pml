/* expect: 3:10: error: no folder of -I has this file; those of the C compiler are not looked at; with --cpp the system's preprocessor reads the model
*/
#include <stdio.h>
init { skip }
