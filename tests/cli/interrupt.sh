# Ctrl-C gives the figures so far, and 'unknown'.
nutshell count -q --progress always models/large.pml > out 2> progress &
until [ -s progress ]; do sleep 0.05; done
kill -INT $!
wait $!
echo "exit $?"
cat out
grep -q 'states, .*/s, depth .* waiting, ' progress && echo 'with progress'
