# More than one property violated, and each with its files.
try nutshell check -q --max-errors 0 --trace t.json --trail=t.trail --msc t.mmd models/two.pml
try nutshell check --max-errors 3 models/mutex.pml
try nutshell check --no-deadlock models/ring.pml
ls
