/* expect: 3:10: error: '_pid' may only be used in processes
*/
byte n = _pid;
init { skip }
