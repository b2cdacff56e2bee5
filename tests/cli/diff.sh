# Two versions of a model, seen through some variables and channels.
try nutshell diff models/old.pml models/new.pml
try nutshell diff models/new.pml models/old.pml --spec
try nutshell diff models/old.pml models/new.pml --spec -q
try nutshell diff models/old.pml models/new.pml --observe n --trace t.json
try nutshell replay models/new.pml t.json
try nutshell diff models/old.pml models/new.pml --observe out,n
nutshell diff models/old.pml models/new.pml --json |
  sed 's/"nutshell": .*/"nutshell": V,/' | sed '/"steps"/,/^  \]/d'
try nutshell diff models/old.pml models/old.pml
try nutshell diff models/old.pml models/new.pml --observe only_old
try nutshell diff models/old.pml models/new.pml --observe meet
try nutshell diff models/old.pml models/new.pml --observe nothing
try nutshell diff models/old.pml models/mutex.pml
try nutshell diff models/old.pml
try nutshell diff models/old.pml models/broken.pml
cat > a.pml <<'END'
byte x = 1; active proctype P() { x = 2; do :: skip od }
END
cat > b.pml <<'END'
byte x = 1; active proctype P() { x = 2 }
END
cat > c.pml <<'END'
byte x = 3; active proctype P() { x = 2 }
END
try nutshell diff a.pml b.pml
try nutshell diff b.pml a.pml
try nutshell diff a.pml c.pml
try nutshell diff models/large.pml models/large.pml -q --memory 12M
# Messages of a rendezvous channel are seen in steps.
cat > echo.pml <<'END'
mtype = { req, ack };
chan c = [0] of { mtype, byte };
active proctype A() { byte i; do :: i < 2 -> c!req(i); c?ack,_; i++ :: else -> break od }
active proctype B() { byte x; do :: c?req,x; c!ack(x) od }
END
sed 's/c!ack(x)/if :: c!ack(x) :: x == 1 -> c!ack(0) fi/' echo.pml > wrong.pml
sed 's/byte x;/byte x, y;/; s/c?req,x;/c?req,x; y = 1; y = 0;/' echo.pml > slow.pml
sed 's/c!ack(x)/atomic { c!ack(x); x = 0 }/' echo.pml > joined.pml
for other in wrong slow joined; do
  try nutshell diff echo.pml $other.pml --observe c
done
try nutshell diff echo.pml wrong.pml --observe c --spec -q
try nutshell diff wrong.pml echo.pml --observe c --spec -q
nutshell diff echo.pml wrong.pml --observe c --json | grep instead

# What waits in a channel is observed, each message with all its fields.
cat >queue.pml <<'END'
mtype = { ack, nak };
chan c = [2] of { byte, byte }, d = [2] of { mtype, byte };
active proctype P() { c!1,7; c!2,8; d!ack,4; d!nak,5 }
END
sed 's/c!2/c!3/' queue.pml >other.pml
sed 's/nak,5/nak,6/' queue.pml >last.pml
try nutshell diff queue.pml other.pml --observe c
try nutshell diff queue.pml last.pml --observe d
