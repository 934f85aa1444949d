"""How soon the server is ready, and what it takes: benches/process.py [PROGRAM]

Prints the time from start to the line that says "ready" (the median of several starts) with one array and with 10,000 volumes kept in a data directory,
resident memory when idle, memory for each volume, and memory and threads for each of 200 arrays.
"""

import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).parent.parent
PROGRAM = sys.argv[1] if len(sys.argv) > 1 else ROOT / "target/x86_64-unknown-linux-gnu/release/arrayplane"
STARTS = 15


class Server:
    def __init__(self, *arguments):
        began = time.perf_counter()
        self.process = subprocess.Popen([PROGRAM, "serve", "--listen", "127.0.0.1:0", *arguments], stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if "ready: " in line:
                break
        self.ready_ms = (time.perf_counter() - began) * 1000
        self.url = "http://" + line.split("http://")[1].split("/")[0]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.communicate()

    def post(self, path, body):
        request = urllib.request.Request(f"{self.url}/v1/arrays{path}", json.dumps(body).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            answer.read()

    def status(self, field):
        """A number of the kernel's book about the process."""
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith(field + ":"):
                return int(line.split()[1])

    def bytes(self):
        return self.status("VmRSS") * 1024


def starts(*arguments):
    times = []
    for _ in range(STARTS):
        with Server(*arguments) as server:
            times.append(server.ready_ms)
    return f"{statistics.median(times):.1f} ms (of {STARTS} starts: {min(times):.1f} to {max(times):.1f})"


def furnish(server, array, volumes):
    server.post(f"/{array}/pools", {"name": "P0", "level": "raid6", "drive_count": 24})
    server.post(f"/{array}/volumes", {"name": "V", "pool": "P0", "size": "1GiB", "count": volumes})


print("ready with one array:           ", starts("af250"))
with tempfile.TemporaryDirectory() as home:
    with Server("--data-dir", home, "big=unlimited") as server:
        furnish(server, "big", 10_000)
    print("ready with 10,000 kept volumes: ", starts("--data-dir", home, "big=unlimited"))
with Server("af250") as server:
    time.sleep(1)
    print(f"idle with one array:             {server.bytes() / 1e6:.1f} MB, {server.status('Threads')} threads")
with Server("big=unlimited") as server:
    before = server.bytes()
    furnish(server, "big", 100_000)
    # The answer alone had tens of megabytes; the allocator gives such back when it is next asked.
    time.sleep(1)
    for _ in range(50):
        urllib.request.urlopen(f"{server.url}/v1/arrays/big/volumes?limit=100").read()
    print(f"memory for each of 100,000 volumes: {(server.bytes() - before) / 100_000:.0f} bytes")
with Server("af250") as server:
    before, threads = server.bytes(), server.status("Threads")
    for number in range(200):
        server.post("", {"name": f"a{number}", "scenario": "af250"})
    print(f"each of 200 arrays:              {(server.bytes() - before) / 200 / 1e6:.2f} MB; {server.status('Threads') - threads} more threads for all")
