int x;
init { xr x; skip }
/*
expect: 2:11: error: 'x' is not a channel
*/
