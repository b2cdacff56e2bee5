try nutshell simulate --seed 3 --steps 12 models/mutex.pml
try nutshell simulate --seed 1 models/steps.pml
try nutshell simulate --seed 1 models/ring.pml
try nutshell simulate -q --seed 1 models/macro.pml
# Without a seed one is drawn, and told so that the run can be made again.
nutshell simulate --steps 9 models/mutex.pml >first 2>note
seed=$(sed -n 's/nutshell: note: seed //p' note)
nutshell simulate --steps 9 --seed $seed models/mutex.pml | cmp - first && echo 'the same again'
