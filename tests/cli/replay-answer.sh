# The answer of a rendezvous fails before it is executed: SPIN's trails have it,
# and so have ours, since the send before it cannot be alone.
cat >answer.pml <<'END'
chan c = [0] of { byte };
byte a[2], i = 5;
active proctype sender() { c!1 }
active proctype receiver() { c?eval(a[i]) }
END
nutshell check -q --trail=t.trail answer.pml
cat t.trail
try nutshell replay answer.pml t.trail
