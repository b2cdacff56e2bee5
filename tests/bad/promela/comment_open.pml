/* expect: 4:1: error: this comment does not end
*/
init { skip }
/* no end
