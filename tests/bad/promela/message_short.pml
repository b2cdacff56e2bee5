/* expect: 4:8: warning: 1 value for channel 'q', which has 2 fields
*/
chan q = [1] of { byte, byte };
init { q!1 }
