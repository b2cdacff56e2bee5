typedef T { int a };
typedef T { int b };
init { skip }
/*
expect: 2:9: error: typedef 'T' is defined twice
*/
