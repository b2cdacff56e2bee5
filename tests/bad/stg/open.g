# expect: 8:1: error: expected '}', found the end of the file
# expect: 7:10: note: opened here
.outputs a
.graph
p a+
a+ p
.marking {p
