/* expect: 3:8: error: c_code: C inside a model runs with all your rights, so it is refused unless you trust the model and say --allow-c
*/
init { c_code { x++; } }
