# Steps that do not matter are folded; until when an error can be avoided.
try nutshell check models/cone.pml --explain
nutshell check models/cone.pml --explain -v | sed -n '/^Counter/,/^$/p'
nutshell check models/cone.pml --explain --json |
  sed -n '/"explanation"/,/}/p' | tr -d '\n ' ; echo
try nutshell check models/cone.pml --invariant 'x < 3' --explain --property invariant
try nutshell check models/cone.pml --reach 'z == 2' --explain --property reach
nutshell check models/cone.pml --explain --msc c.mmd -q
cat c.mmd
for fair in none weak strong; do
  nutshell check models/trap.pml --explain --fair $fair | grep complete
done
nutshell check models/stuck.pml --explain | sed -n '/^Counter/,/^$/p'
nutshell check models/trap.pml --ltl '<> shut' --property ltl --explain | grep -E 'folded|avoid'
nutshell check models/bounds.pml --explain | sed -n '/^Counter/,/^$/p'
# Infinite runs: what is left is a run, closes its loop, is fair, and violates.
for fair in none weak strong; do
  nutshell check models/endless.pml --property ends --explain --fair $fair | sed -n '/^Counter/,/^$/p'
done
for property in avoids counts soon; do
  nutshell check models/endless.pml --property $property --explain | sed -n '/^Counter/,/^$/p'
done
nutshell check models/endless.pml --property counts --explain -v | grep -c 'does not matter'
nutshell check models/endless.pml --property counts --explain --json |
  sed -n '/"explanation"/,/}/p' | tr -d '\n ' ; echo
# What can be left out only together: steps of two processes, all of a process; and
# what a message needs that is taken later.
nutshell check models/pieces.pml --property early --por off --explain | sed -n '/^Counter/,/^$/p'
nutshell check models/rounds.pml --property rests --por off --explain | sed -n '/^Counter/,/^$/p'
for model in letters room; do
  nutshell check models/$model.pml --por off --explain | sed -n '/^Counter/,/^$/p'
done
