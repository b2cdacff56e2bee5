.outputs a
.initial_state a=x
.graph
p a+
a+ p
.marking {p}
.end
# expect: 2:18: error: expected a number, found 'x'
