/* expect: 3:12: error: a bit cannot be hidden
*/
hidden bit b;
init { skip }
