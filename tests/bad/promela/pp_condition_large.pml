/* expect: 4:125: error: the macros expand to too much text; with --cpp the system's preprocessor reads the model
*/
#define two(x) x x
#if two(two(two(two(two(two(two(two(two(two(two(two(two(two(two(two(two(two(two(two(two(two(two(two(two(two(two(two(two(two(1))))))))))))))))))))))))))))))
#endif
init { skip }
