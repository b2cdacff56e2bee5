/* expect: 4:22: error: 2 values, but no channel has more than 1 field
*/
chan q = [1] of { byte };
proctype P(chan c) { c!1,2 }
init { run P(q) }
