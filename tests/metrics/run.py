"""Lets promtool, which belongs to Prometheus, look at the metrics of a running server: tests/metrics/run.py PROGRAM

Exit codes: 0 promtool objects to nothing, 1 it does, 77 this machine has no promtool and cannot get one.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import urllib.request

NOT_RUN = 77
TOOLS = pathlib.Path(__file__).parents[2] / "target" / "tools"
ARRAYS = ["demo=af250", "reduced=af250-dr", "netapp=aff-a250"]


def promtool():
    """The program: the machine's, or the one out of Debian's package, which is not installed."""
    found = shutil.which("promtool") or shutil.which("promtool", path=TOOLS / "prometheus" / "usr" / "bin")
    if found:
        return found
    if os.geteuid() != 0 or not shutil.which("apt-get") or not shutil.which("dpkg-deb"):
        sys.exit(NOT_RUN)
    with tempfile.TemporaryDirectory(prefix="promtool-") as folder:
        os.chmod(folder, 0o777)
        get = ["apt-get", "-qq", "-o", "DPkg::Lock::Timeout=300"]
        for command in ([*get, "update"], [*get, "download", "prometheus"]):
            if subprocess.run(command, cwd=folder).returncode != 0:
                sys.exit(NOT_RUN)
        package = next(pathlib.Path(folder).glob("prometheus_*.deb"))
        subprocess.run(["dpkg-deb", "-x", package, f"{folder}/whole"], check=True)
        place = TOOLS / "prometheus" / "usr" / "bin"
        place.mkdir(parents=True, exist_ok=True)
        shutil.copy2(f"{folder}/whole/usr/bin/promtool", place)
    return str(place / "promtool")


def metrics(program, query):
    """What a server of the program answers that plays some arrays."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ARRAYPLANE_")}
    command = [program, "serve", "--listen", "127.0.0.1:0", *ARRAYS]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as server:
        try:
            ready = next(line for line in server.stderr if "ready: " in line)
            address = ready.split("ready: ", 1)[1].split("/v1/", 1)[0]
            with urllib.request.urlopen(f"{address}/metrics{query}") as answer:
                return answer.read()
        finally:
            server.terminate()


def main(program):
    check = promtool()
    for query in ["", "?volumes=100", "?array=demo"]:
        text = metrics(program, query)
        done = subprocess.run([check, "check", "metrics"], input=text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        said = done.stdout.decode()
        assert done.returncode == 0 and not said.strip(), f"/metrics{query}: exit code {done.returncode}\n{said}"
        print(f"/metrics{query}: {len(text)} bytes, {text.count(chr(10).encode())} lines")


if __name__ == "__main__":
    main(sys.argv[1])
