/* expect: 3:21: error: '__VA_OPT__' is not known here; with --cpp the system's preprocessor reads the model
*/
#define f(x, ...) x __VA_OPT__(, y)
init { skip }
