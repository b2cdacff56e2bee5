init { mtype = { a }; skip }
/*
expect: 1:16: error: mtype names must be declared outside of processes
*/
