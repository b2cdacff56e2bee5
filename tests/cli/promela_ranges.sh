# 'value' and 'subrange' declare variables that hold what they say, and nothing
# else; the engines agree.
try nutshell check models/ranges.pml --max-errors 0
try nutshell count models/ranges.pml --engine native --check
try nutshell check models/ranges_passed.pml --max-errors 0
try nutshell count models/ranges_passed.pml --engine native --check
