/* expect: 6:15: error: unexpected byte 0xe2: this is not Promela text
** expect: 6:15: note: these are typographic quotes: write " or '
** expect: 6:23: error: unexpected byte 0xe2: this is not Promela text
** expect: 6:23: note: these are typographic quotes: write " or '
*/
init { printf(“hello”) }
