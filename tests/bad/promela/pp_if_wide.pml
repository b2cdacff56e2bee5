/* expect: 3:5: error: a wide character is not known here; with --cpp the system's preprocessor reads the model
*/
#if L'a'
#endif
init { skip }
