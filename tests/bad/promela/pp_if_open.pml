/* expect: 3:2: error: this condition has no '#endif'
*/
#ifdef X
init { skip }
