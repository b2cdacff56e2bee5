# expect: 7:1: error: expected '}', found the end of the file
.outputs a
.graph
p a+
a+ p
.marking {p
