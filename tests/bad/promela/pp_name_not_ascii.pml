/* expect: 3:9: error: a name with letters beyond ASCII is not known here; with --cpp the system's preprocessor reads the model
*/
#define größe 3
init { skip }
