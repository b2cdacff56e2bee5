# Files that cannot be written, and files that must not be.
cp -L models/mutex.pml m.pml
try nutshell check -q --json=/dev/full m.pml
try nutshell check -q --trace none/t.json m.pml
try nutshell check -q --trace models m.pml
try nutshell check -q --json=m.pml m.pml
try nutshell check -q --trace m.pml m.pml
try nutshell check -q --trail=m.pml m.pml
try sh -c 'nutshell check m.pml > /dev/full'
# A model named after --json is a model.
try nutshell check -q --json m.pml
ls
# A new file has the usual rights; one that was there keeps its own.
umask 027
nutshell check -q --trace new.json m.pml
: > old.json; chmod 604 old.json
nutshell check -q --trace old.json m.pml
umask 000
nutshell check -q --trace all.json m.pml
stat -c '%a %n' new.json old.json all.json
# Noticed before the search, which would not end.
cat >endless.pml <<'END'
int n; active proctype P() { do :: n++ od }
END
try nutshell check --trace none/t.json endless.pml
try nutshell check --msc none/t.svg endless.pml
try nutshell check --trail=none/t endless.pml
try nutshell check --growth none/t.csv endless.pml
ls *.XXXXXX 2>/dev/null
# A chart on the standard output, and nothing else.
nutshell check --shortest --msc - m.pml 2>report.txt | sed -n '1p;$p'
head -2 report.txt
