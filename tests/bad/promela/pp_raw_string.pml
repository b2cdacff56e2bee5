/* expect: 4:15: error: a raw string is not known here; with --cpp the system's preprocessor reads the model
*/
#define R 1
init { printf(R"(x)") }
