init { skip }
init { skip }
/*
expect: 2:1: error: 'init' is defined twice
*/
