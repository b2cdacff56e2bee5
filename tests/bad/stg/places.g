.inputs a
p q
.end
# expect: 2:3: error: 'p' and 'q' are both places: an arc needs a transition
