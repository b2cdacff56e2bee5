/* expect: 3:10: error: this file does not exist
*/
#include "nowhere.h"
init { skip }
