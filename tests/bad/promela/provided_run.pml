proctype P() provided (run P() > 1) { skip }
init { run P() }
/*
expect: 1:24: error: this cannot be used in 'provided'
*/
