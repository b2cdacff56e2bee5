# Several models: one after the other, whatever becomes of each of them.
mkdir -p set/deep set/.hidden
cp -L models/safe.pml set/b.pml
cp -L models/mutex.pml set/deep/a.pml
cp -L models/broken.pml set/.hidden/never.pml
cp -L models/many.dve set/A.dve
echo 'not a model' >set/readme.txt
echo '<formulas/>' >set/formulas.xml
ln -s .. set/deep/up
try nutshell check -q set
try nutshell check -q models/broken.pml models/safe.pml
try nutshell check -q models/safe.pml models/nothing.pml models/mutex.pml
try nutshell check -q models/safe.pml - <models/mutex.pml
try nutshell check -q --depth 2 models/safe.pml
try nutshell check -q --depth 2 models/safe.pml models/ring.pml
# A property that only one of them has.
try nutshell check -q --property assertion models/safe.pml models/several.pml
mkdir none
cp -L models/mutex.pml set/m.pml
try nutshell check none
try nutshell check -q set/ set/b.pml
# What writes a file gets the name of the model; equal names get a number.
try nutshell check -q --trace t.json --trail --growth g.csv set/deep/a.pml set/b.pml set/m.pml
nutshell check -q --certificate p.cert models/safe.pml models/safe.pml 2>&1 | grep -o "certificate .*:"
try nutshell check -q --trace t.json --trail x.trail set/deep/a.pml set/deep/../deep/a.pml
find . -type f -not -path './set/*' | LC_ALL=C sort
ls set/deep
# One document for all; the first of several traces alone fits the output.
nutshell check --json models/safe.pml models/mutex.pml | grep -E '^  "|^      "(file|verdict)'
nutshell check --json set/deep | grep -E '^  "|^      "(file|verdict)'
try nutshell check --trace - models/safe.pml models/mutex.pml
try nutshell check --report tap models/safe.pml models/mutex.pml
# Nets that are named together are one.
printf '.inputs a\n.graph\na+ a-\na- a+\n.marking { <a-,a+> }\n.end\n' >one.g
printf '.inputs b\n.graph\nb+ b-\nb- b+\n.marking { <b-,b+> }\n.end\n' >two.g
nutshell count one.g two.g | grep states
nutshell count one.g ./two.g models/safe.pml | grep -E 'states|models'
