/* expect: 3:8: error: '__GNUC__' has its meaning from a C compiler, and none here; with --cpp the system's preprocessor reads the model
*/
#ifdef __GNUC__
byte x;
#endif
init { skip }
