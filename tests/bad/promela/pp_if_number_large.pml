/* expect: 3:5: error: this number is too large; with --cpp the system's preprocessor reads the model
*/
#if 99999999999999999999
#endif
init { skip }
