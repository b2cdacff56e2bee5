init { _pid = 1 }
/*
expect: 1:8: error: '_pid' cannot be written
*/
