#include "include_loop.pml"
init { skip }
/*
expect: 1:28: error: preprocessor: #include nested depth 200 exceeds maximum of 200
*/
