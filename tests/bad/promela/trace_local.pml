/* expect: 4:17: error: a variable of the trace itself has no value
*/
chan q = [1] of { byte };
trace { byte x; q?eval(x) }
init { q!1 }
