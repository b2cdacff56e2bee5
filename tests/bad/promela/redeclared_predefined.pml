/* expect: 3:5: error: '_pid' is already predefined
*/
int _pid;
init { skip }
