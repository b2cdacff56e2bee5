#include "nowhere.h"
init { skip }
/*
expect: 1:10: error: preprocessor: nowhere.h: No such file or directory
*/
