chan q = [1] of { byte };
init { q!1,2 }
/*
expect: 2:8: error: 2 values for channel 'q', which has 1 field
expect: 1:6: note: declared here
*/
