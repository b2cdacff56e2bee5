.outputs a
.graph
p a+/
a+ p
.marking {p}
.end
# expect: 4:1: error: expected a number, found 'a'
