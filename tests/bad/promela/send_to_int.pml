int x;
init { x!1 }
/*
expect: 2:8: error: 'x' is not a channel
*/
