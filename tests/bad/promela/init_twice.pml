/* expect: 4:1: error: 'init' is defined twice
*/
init { skip }
init { skip }
