int:f x;
init { skip }
/*
expect: 1:4: error: only mtype can have a subtype
*/
