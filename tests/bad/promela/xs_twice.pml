/* expect: 5:11: error: xs of 'q' is already claimed by 'P'
*/
chan q = [1] of { byte };
proctype P() { xs q; q!1 }
init { xs q; run P(); q!2 }
