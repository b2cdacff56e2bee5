/* expect: 3:8: error: '_pid' cannot be written
*/
init { _pid = 1 }
