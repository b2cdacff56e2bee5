int x = { 1, 2 };
init { skip }
/*
expect: 1:5: error: only an array can be initialised with a list
*/
