# Sets of states tell what searches state by state do: the place that fails, and
# formulas that say nothing of the model.
nutshell check models/mutex.pml --symbolic --json | sed -n '/"violations"/,/\]/p'
nutshell check models/mutex.pml --symbolic --ltl '[] (busy || !busy)' \
  --property ltl | head -4
