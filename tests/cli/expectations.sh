# What models expect of themselves, and what they may not ask for.
mkdir set
cat >set/a.pml <<'X'
/* expect: holds; states 3; transitions 3
** expect assertions, p: holds; states 4; with -D N=2
** expect p: violated; with -DN=1 --property p --fair=weak
** We expect: nothing of this line.  */
#ifndef N
#define N 1
#endif
byte x;  // expect end-states: violated
init { if :: N > 1 -> x = 1 :: else fi }
#ifdef N
ltl p { <> (x == 1) }
#endif

X
cat >set/b.pml <<'X'
// expect: violated; says stopped after the errors found
init { printf("/* expect: holds */"); assert(false) }
X
cat >set/c.g <<'X'
# expect: holds; states 2; transitions 2; place 1
.inputs a
.graph
a+ a-
a- a+
.marking { <a-,a+> }
.end
X
cat >set/d.pml <<'X'
/* expect: 2:8: error: 'x' is not declared */
init { x = 1 }
X
sed -i '/^expect: skip/d' set/a.pml
try nutshell test set
try nutshell test -q set/b.pml set/c.g set/d.pml
# Nothing in a model names a file, a folder or a program.
for words in '--allow-c' '-I /etc' '--trace x' '--json' '--time 1' '--include=/' \
             'other.pml' '--plugin x.so' '--properties f' '-D' '-- x.pml'; do
  printf '/* expect: holds; with %s */ init { skip }\n' "$words" >bad.pml
  try nutshell test bad.pml
done
for line in 'hold' 'holds;states 3' 'states many' 'holds; with' ''; do
  printf '/* expect: %s */ init { skip }\n' "$line" >bad.pml
  try nutshell test bad.pml
done
ls
try nutshell test missing.pml
try nutshell test --report tap set/a.pml
