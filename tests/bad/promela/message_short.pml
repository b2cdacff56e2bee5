chan q = [1] of { byte, byte };
init { q!1 }
/*
expect: 2:8: warning: 1 value for channel 'q', which has 2 fields
*/
