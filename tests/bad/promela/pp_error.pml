/* expect: 3:2: error: #error N must be defined
*/
#error N must be defined
init { skip }
