/* expect: 6:15: error: enabled () cannot be used together with rendezvous channels
** expect: 4:10: note: a rendezvous channel
*/
chan q = [0] of { byte };
init { skip; q!1 }
never { do :: enabled(0) od }
