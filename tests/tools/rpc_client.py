"""A client of our servers over stdio, for tests: sends messages, waits for
answers, keeps what comes without being asked for."""

import json
import subprocess


class Client:
    def __init__(self, command, lines=False, **settings):
        self.lines = lines
        self.process = subprocess.Popen(
            [str(c) for c in command], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, **settings)
        self.number = 0
        self.notices = []

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = json.dumps(message).encode()
        head = b"" if self.lines else b"Content-Length: %d\r\n\r\n" % len(body)
        self.send_bytes(head + body + (b"\n" if self.lines else b""))

    def receive(self):
        if self.lines:
            line = self.process.stdout.readline()
            return json.loads(line) if line else None
        length = None
        while True:
            line = self.process.stdout.readline()
            if not line:
                return None
            if line == b"\r\n":
                break
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(length))

    def notify(self, method, parameters):
        self.send({"jsonrpc": "2.0", "method": method, "params": parameters})

    def ask(self, method, parameters):
        """The answer, with 'result' or 'error'."""
        number = self.begin(method, parameters)
        return self.answer(number)

    def begin(self, method, parameters):
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method,
                   "params": parameters})
        return self.number

    def answer(self, number):
        while True:
            got = self.receive()
            if got is None:
                raise EOFError("the server has ended: "
                               + self.process.stderr.read().decode())
            if got.get("id") == number and "method" not in got:
                return got
            self.notices.append(got)

    def wait_for(self, method):
        while True:
            for i, got in enumerate(self.notices):
                if got.get("method") == method:
                    return self.notices.pop(i)["params"]
            got = self.receive()
            if got is None:
                raise EOFError("the server has ended")
            self.notices.append(got)

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.stderr.close()
        return self.process.wait()
