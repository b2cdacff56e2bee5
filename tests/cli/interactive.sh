try nutshell simulate --interactive models/steps.pml < /dev/null
printf '1\ns\nx\n99\nu\nu\n1\n\nq\n' | try nutshell simulate --interactive models/steps.pml
# By chance until something is true, to and fro, saved, loaded and gone on with.
printf 'help\nr 3\nuntil n > 1\ngoto 1\ngoto 4\nsave run.json\nsave run.trail\nsave run.svg\nsave\nundo 50\nload run.json\nundo\nload run.trail\nuntil n >\nuntil nobody\nload none\nq\n' |
  try nutshell simulate --interactive --seed 1 models/explore.pml
head -c 4 run.svg
echo
# The shortest way to where something is true, or why there is none.
printf '1\nreach n == 2\nreach n == 2\nreach n == 77\nreach n ==\nreach\ngoto 1\nq\n' |
  try nutshell simulate --interactive models/explore.pml
# A counterexample: from its end back, and another way.
nutshell check -q --trace dead.json models/explore.pml > /dev/null
printf 'load dead.json\nwhy\ngoto 2\ngoto 99\nrun 5\nq\n' |
  try nutshell simulate --interactive models/explore.pml
# Nobody but the net makes its transitions; places have tokens.
cp "$DOCS/../examples/pnml/mutex.pnml" .
printf 'w\ns\n1\nw\nq\n' | try nutshell simulate --interactive mutex.pnml
