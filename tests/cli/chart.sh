nutshell check -q --msc t.mmd models/ring.pml
cat t.mmd
nutshell check -q --msc t.svg models/ring.pml
head -c 300 t.svg
