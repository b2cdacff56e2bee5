hidden mtype = { a };
init { skip }
/*
expect: 1:16: error: mtype names cannot be hidden, shown or local
*/
