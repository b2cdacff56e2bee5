init { break }
/*
expect: 1:8: error: 'break' may only be used inside a loop
*/
