hidden bit b;
init { skip }
/*
expect: 1:12: error: a bit cannot be hidden
*/
