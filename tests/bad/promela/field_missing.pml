/* expect: 6:10: error: typedef 'T' has no field 'cuont'
** expect: 4:17: note: the nearest name is 'count'
*/
typedef T { int count };
T t;
init { t.cuont = 1 }
