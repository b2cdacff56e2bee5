/* expect: 4:11: error: 'x' is not a channel
*/
int x;
init { xr x; skip }
