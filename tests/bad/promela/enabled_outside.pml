/* expect: 3:8: warning: enabled () outside of a never claim
*/
init { enabled(0) }
