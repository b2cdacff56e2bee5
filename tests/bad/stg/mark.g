.inputs a
p a+
.marking {q}
.end
# expect: 3:11: error: there is no place 'q'
