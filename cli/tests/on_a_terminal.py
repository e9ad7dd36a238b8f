# Runs a program on a pseudo terminal, answers each prompt, and prints what it showed; exits with its status.
import os, pty, select, sys, time
answers = sys.argv[1].split(",")
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
shown, asked, deadline = b"", 0, time.time() + 60
while time.time() < deadline:
    if not select.select([fd], [], [], 1)[0]:
        continue
    try:
        data = os.read(fd, 65536)
    except OSError:
        break
    if not data:
        break
    shown += data
    while shown.count(b'(default is "Y"): ') + shown.count(b"? [y/N] ") > asked:
        answer = answers[asked] if asked < len(answers) else "l"
        asked += 1
        # A lone ! stands for the end of the input, a lone ^ for Ctrl+C, a lone ~ for SIGTERM.
        if answer == "~":
            os.kill(pid, 15)
            continue
        os.write(fd, {"!": b"\x04", "^": b"\x03"}.get(answer, answer.encode() + b"\n"))
else:
    os.kill(pid, 9)
status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
sys.stdout.buffer.write(shown.replace(b"\r", b""))
sys.exit(status)
