.inputs a
.graph
p a+
q- p
.marking {p}
.end
# expect: 4:1: error: there is no signal 'q'
