/* expect: 3:16: error: an array cannot be a parameter
*/
proctype P(int x[2]) { skip }
init { skip }
