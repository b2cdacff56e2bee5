int _pid;
init { skip }
/*
expect: 1:5: error: '_pid' is already predefined
*/
