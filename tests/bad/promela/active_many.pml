/* expect: 3:9: error: 0 to 255 processes can be active, not 256
*/
active [256] proctype P() { skip }
