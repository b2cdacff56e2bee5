init { skip }

/* expect: 2:1: error: this comment does not end
