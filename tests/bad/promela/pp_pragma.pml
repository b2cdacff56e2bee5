/* expect: 3:9: error: '#pragma once' is not known here; with --cpp the system's preprocessor reads the model
*/
#pragma once
init { skip }
