/* expect: 4:9: error: typedef 'T' is defined twice
*/
typedef T { int a };
typedef T { int b };
init { skip }
