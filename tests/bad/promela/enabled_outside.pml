init { enabled(0) }
/*
expect: 1:8: warning: enabled () outside of a never claim
*/
