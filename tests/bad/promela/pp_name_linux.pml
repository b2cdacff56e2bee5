/* expect: 4:11: error: expected a name, found a constant
** expect: 4:11: note: in the expansion of macro 'linux'
*/
mtype = { linux };
init { skip }
