typedef T { int count };
T t;
init { t.cuont = 1 }
/*
expect: 3:10: error: typedef 'T' has no field 'cuont'
expect: 1:17: note: the nearest name is 'count'
*/
