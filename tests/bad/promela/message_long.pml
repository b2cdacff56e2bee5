/* expect: 5:8: error: 2 values for channel 'q', which has 1 field
** expect: 4:6: note: declared here
*/
chan q = [1] of { byte };
init { q!1,2 }
