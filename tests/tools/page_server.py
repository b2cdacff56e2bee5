"""'nutshell explore' as a thing: started, asked, stopped."""

import http.client
import json
import re
import subprocess
import urllib.parse

import kit


def can_serve():
    """Whether this build has a server at all."""
    done = kit.run("explore", "/nonexistent")
    return "libmicrohttpd" not in done.stderr


def need_server():
    if not can_serve():
        raise kit.Skipped("this build has no libmicrohttpd")


class Server:
    """A server of a model; 'with' ends it."""

    def __init__(self, *arguments, **settings):
        self.process = subprocess.Popen(
            [str(kit.NUTSHELL), "explore", "--no-open", *map(str, arguments)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            **settings)
        self.address = self.process.stdout.readline().strip()
        found = re.fullmatch(
            r"http://([\d.]+|\[[\da-f:]+\]|localhost):(\d+)/"
            r"#token=([0-9a-f]{32})", self.address)
        if not found:
            raise kit.Failure(f"no address: {self.address} "
                              f"{self.process.stderr.read()}")
        self.host, self.port = found[1], int(found[2])
        self.token = found[3]

    def __enter__(self):
        return self

    def __exit__(self, *what):
        self.stop()

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(2)
        status = self.process.wait(60)
        self.process.stdout.close()
        self.process.stderr.close()
        return status

    def raw(self, method, path, body=None, **headers):
        """Status, headers and bytes of the answer to any request; a header
        that is None is left out."""
        given = {"Host": f"{self.host}:{self.port}", **headers}
        connection = http.client.HTTPConnection(
            self.host.strip("[]"), self.port, timeout=600)
        connection.putrequest(method, path, skip_host=True,
                              skip_accept_encoding=True)
        for name, value in given.items():
            if value is not None:
                connection.putheader(name.replace("_", "-"), value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        answer = connection.getresponse()
        got = answer.status, dict(answer.getheaders()), answer.read()
        connection.close()
        return got

    def call(self, path, body=None, status=200, **query):
        """What the API answers, which must have this status."""
        words = "?" + urllib.parse.urlencode(query) if query else ""
        got = self.raw("GET" if body is None else "POST",
                       "/api/v1/" + path + words,
                       None if body is None else json.dumps(body).encode(),
                       Authorization="Bearer " + self.token,
                       Content_Type="application/json")
        kit.expect(got[0] == status, f"{path}: {got[0]}, {got[2][:300]}")
        kind = got[1].get("Content-Type", "")
        return json.loads(got[2]) if kind == "application/json" else got[2]

    def load(self, text=None):
        """Description of the model, and the beginning of its paths."""
        model = (self.call("model") if text is None
                 else self.call("models", {"text": text}))
        return model, "models/" + model["id"]

    def check(self, model, **asked):
        """A check to its end, by its events; its description."""
        made = self.call(f"{model}/checks", asked)["id"]
        events = self.call(f"checks/{made}/events").decode()
        kit.expect("event: done" in events, events)
        return self.call(f"checks/{made}")
