# How many states to expect, in the table of --growth: by levels only, and not
# while a variable grows without bound.
told() {
  awk -F, 'NR > 1 { rows++; given += $11 > 0; bad += $11 > 0 && !($1 <= $9 && $9 <= $10 && $10 <= $11) }
    NR > 1 && $1 > 13500 && !half { half = 1; print "at half:", $9, "to", $11 }
    END { print (given ? "forecasts" : "no forecast") ",", bad + 0, "bad" }' g.csv
}
for threads in 1 2; do
  try nutshell count -q --growth g.csv --threads $threads models/bounded.pml
  told
done
try nutshell count -q --growth g.csv --search dfs models/bounded.pml
told
try nutshell count -q --growth g.csv --store raw+obdd --search bfs models/bounded.pml
told
try nutshell count -q --growth g.csv --depth 300 --threads 1 -D ENDLESS models/bounded.pml
awk -F, 'NR > 1 && $7 > 150 { given += $11 > 0 } END { print given + 0, "forecasts" }' g.csv
# The line, too: a search without an end that anybody would wait for.
nutshell count -q --progress always -D M=250 models/bounded.pml > out 2> line.txt &
until grep -q expected line.txt 2> /dev/null; do sleep 0.05; done
kill -INT $!
wait $!
echo "exit $?"
grep -q 'iB, expected [^,]* to [^,]*, [^,]* to [^,]*, [^,]*iB to [^,]*iB, .*/s' line.txt && echo told
