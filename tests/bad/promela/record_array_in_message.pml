/* expect: 6:19: error: typedef 'T' cannot be in a list: its field 's' is an array of records
*/
typedef S { int a };
typedef T { S s[2] };
T t;
chan q = [1] of { T };
init { q!t }
