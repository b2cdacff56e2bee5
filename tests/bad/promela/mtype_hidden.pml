/* expect: 3:16: error: mtype names cannot be hidden, shown or local
*/
hidden mtype = { a };
init { skip }
