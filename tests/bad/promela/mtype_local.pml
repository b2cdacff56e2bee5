/* expect: 3:16: error: mtype names must be declared outside of processes
*/
init { mtype = { a }; skip }
