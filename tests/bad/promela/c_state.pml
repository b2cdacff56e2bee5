/* expect: 3:1: error: c_state: C inside a model runs with all your rights, so it is refused unless you trust the model and say --allow-c
*/
c_state "int x" "Global"
init { skip }
