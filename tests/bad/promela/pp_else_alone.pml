/* expect: 3:2: error: '#else' without '#if'
*/
#else
init { skip }
