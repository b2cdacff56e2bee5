/* expect: 3:10: error: preprocessor: nowhere.h: No such file or directory
*/
#include "nowhere.h"
init { skip }
