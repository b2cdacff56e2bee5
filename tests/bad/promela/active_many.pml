active [256] proctype P() { skip }
/*
expect: 1:9: error: 0 to 255 processes can be active, not 256
*/
