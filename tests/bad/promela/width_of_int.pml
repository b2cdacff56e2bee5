/* expect: 3:9: error: only unsigned can have a width
*/
int u : 3;
init { skip }
