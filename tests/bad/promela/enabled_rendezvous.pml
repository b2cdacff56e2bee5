chan q = [0] of { byte };
init { skip; q!1 }
never { do :: enabled(0) od }
/*
expect: 3:15: error: enabled () cannot be used together with rendezvous channels
expect: 1:10: note: a rendezvous channel
*/
