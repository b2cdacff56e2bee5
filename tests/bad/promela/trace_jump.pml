/* A break takes any event.
   expect: 6:24: error: the trace is not deterministic: two options take the same event
   expect: 6:17: note: the other option
*/
chan q = [1] of { byte };
notrace { do :: q?1 :: break od }
init { q!1 }
