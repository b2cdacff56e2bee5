.inputs a
.state graph
s a+ t u
t s a-
t a-
.marking {s}
.end
# expect: 3:8: error: expected the end of the line, found 'u'
# expect: 4:3: error: expected a state, an event and a state, as '.state graph' says
# expect: 6:1: error: expected a state, found '.marking'
