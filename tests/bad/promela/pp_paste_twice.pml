/* expect: 3:16: error: '##' twice is not known here; with --cpp the system's preprocessor reads the model
*/
#define N 3 ## ## 4
init { skip }
