/* expect: 5:1: error: only one trace can be defined
*/
chan q = [1] of { byte };
trace { q!1 }
notrace { q!2 }
init { q!1 }
