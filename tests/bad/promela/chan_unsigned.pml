/* expect: 3:19: error: unsigned cannot be the type of a message
*/
chan q = [1] of { unsigned };
init { skip }
