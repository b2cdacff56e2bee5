/* expect: 3:1: error: c_track: C inside a model runs with all your rights, so it is refused unless you trust the model and say --allow-c
*/
c_track "&x" "sizeof(int)"
init { skip }
