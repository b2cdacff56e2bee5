/* expect: 3:1: error: embedded C is not supported yet: c_state
*/
c_state "int x" "Global"
init { skip }
