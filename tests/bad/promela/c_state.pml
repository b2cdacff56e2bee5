c_state "int x" "Global"
init { skip }
/*
expect: 1:1: error: embedded C is not supported yet: c_state
*/
