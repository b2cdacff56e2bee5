/* expect: 6:3: error: the trace is not deterministic: two options take the same event
   expect: 5:15: note: the other option
*/
chan q = [1] of { byte, byte };
trace { if :: q!_,2; q!1,1 ::
  q!1,_; q!2,2 fi }
init { q!1,2 }
