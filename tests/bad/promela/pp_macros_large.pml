/* expect: 9:31: error: the macros expand to too much text; with --cpp the system's preprocessor reads the model
** expect: 10:33: note: in the expansion of macro 'b'
** expect: 11:19: note: in the expansion of macro 'c'
** expect: 12:21: note: in the expansion of macro 'd'
** expect: 13:17: note: in the expansion of macro 'e'
** expect: 14:13: note: in the expansion of macro 'f'
*/
#define a x x x x x x x x x x x x
#define b a a a a a a a a a a a a
#define c b b b b b b b b b b b b
#define d c c c c c c c c c c c c
#define e d d d d d d d d d d d d
#define f e e e e e e e e e e e e
#define g f f f f f f f f f f f f
init { g }
