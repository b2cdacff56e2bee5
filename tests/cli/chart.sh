nutshell check -q --msc t.mmd models/ring.pml
cat t.mmd
nutshell check -q --msc t.svg models/ring.pml
head -c 300 t.svg
nutshell check -q --msc stuck.mmd models/stuck.pml
grep waits stuck.mmd
nutshell check -q --msc stuck.svg models/stuck.pml
grep -A2 'class="wait"' stuck.svg
