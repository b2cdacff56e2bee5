/* expect: 3:9: error: this number is too large
*/
int x = 99999999999999999999;
init { skip }
