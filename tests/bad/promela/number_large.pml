int x = 99999999999999999999;
init { skip }
/*
expect: 1:9: error: this number is too large
*/
