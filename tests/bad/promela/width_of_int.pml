int u : 3;
init { skip }
/*
expect: 1:9: error: only unsigned can have a width
*/
