/* expect: 3:15: error: '__INT_MAX__' has its meaning from a C compiler, and none here; with --cpp the system's preprocessor reads the model
*/
init { assert(__INT_MAX__ > 0) }
