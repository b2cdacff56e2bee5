# On a terminal of 50 columns: colours unless they are unwelcome, and a line of
# progress that fits, also when the terminal gets smaller meanwhile.
cat >on_terminal.py <<'END'
import fcntl, os, pty, re, signal, struct, sys, termios
progress = sys.argv[1] == "progress"
child, terminal = pty.fork()
if not child:
    # The width is set before anything is printed.
    fcntl.ioctl(2, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 50, 0, 0))
    os.execvp("nutshell", ["nutshell", *sys.argv[2:]])
seen = b""
while True:
    try:
        part = os.read(terminal, 4096)
    except OSError:
        break
    if not part:
        break
    seen += part
    if progress and seen.count(b"\r\033[K") == 1:
        fcntl.ioctl(terminal, termios.TIOCSWINSZ,
                    struct.pack("HHHH", 24, 20, 0, 0))
    if progress and seen.count(b"\r\033[K") == 4:
        os.kill(child, signal.SIGINT)
os.waitpid(child, 0)
text = seen.decode()
if progress:
    lines = re.findall(r"\r\033\[K([^\r]+)", text)
    print(all(len(line) < 50 for line in lines[:4]), len(lines[3]) < 20,
          "states" in lines[0])
else:
    print("colours" if "\033[31m" in text else "plain")
END
export TERM=xterm
python3 on_terminal.py colors check -q models/mutex.pml
NO_COLOR=1 python3 on_terminal.py colors check -q models/mutex.pml
NO_COLOR= python3 on_terminal.py colors check -q models/mutex.pml
NO_COLOR=1 python3 on_terminal.py colors check -q --color always models/mutex.pml
TERM=dumb python3 on_terminal.py colors check -q models/mutex.pml
cat >endless.pml <<'END'
int n, m;
active proctype P() { do :: n++ od }
active proctype Q() { do :: m++ od }
END
python3 on_terminal.py progress count --engine interpreted endless.pml
