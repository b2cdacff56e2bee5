.outputs a
.graph
p a+
a+ p
.marking {p=300}
.end
# expect: 5:11: error: a place holds 0 to 255 tokens
