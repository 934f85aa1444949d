"""Runs real clients against the ONTAP front of a program: tests/clients/run.py BIN [SUITE...]

A suite is a folder beside this file that has a requirements.txt and a run.py; README.md says what a suite is given and what it prints.
Without names, all suites run. With --at HOST:PORT in place of BIN they run against a server that is there already (its password in ONTAP_PASSWORD).

Exit codes: 0 every check passed, 1 some did not, 2 the arguments are wrong.
"""

import base64
import contextlib
import hashlib
import os
import pathlib
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
HOME = HERE.parents[1] / "target" / "clients"
PASSWORD = "Correct-horse-1"
ARRAYS = ["lab=aff-a250-factory"]
READY_SECONDS = 30
SUITE_SECONDS = 1800


class NotReady(Exception):
    """The program does not serve what the suites need."""


def suites():
    return sorted(folder.name for folder in HERE.iterdir() if (folder / "requirements.txt").is_file() and (folder / "run.py").is_file())


def environment_of(suite):
    """The Python of the suite's virtual environment, which is made anew whenever its pins change."""
    pins = HERE / suite / "requirements.txt"
    place = HOME / suite
    made_of = place / "made-of"
    digest = hashlib.sha256(pins.read_bytes() + sys.version.encode()).hexdigest()
    if not made_of.is_file() or made_of.read_text() != digest:
        print(f"   making the environment of {suite}", flush=True)
        shutil.rmtree(place, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
        pip = [str(place / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--requirement", str(pins)]
        subprocess.run(pip, check=True)
        made_of.write_text(digest)
    return place / "bin" / "python"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def answers(url, certificate=None, password=None):
    """Whether something answers there with 200; a certificate that does not fit is an answer of its own."""
    request = urllib.request.Request(url)
    context = None
    if url.startswith("https"):
        context = ssl.create_default_context(cafile=certificate) if certificate else ssl._create_unverified_context()
    if password:
        request.add_header("Authorization", "Basic " + base64.b64encode(f"admin:{password}".encode()).decode())
    try:
        with urllib.request.urlopen(request, timeout=5, context=context) as answer:
            return answer.status == 200
    except urllib.error.URLError as cause:
        if isinstance(cause.reason, ssl.SSLCertVerificationError):
            raise NotReady(f"{url}: {cause.reason}") from cause
        return False
    except OSError:
        return False


def wait(true, server, log, what):
    end = time.monotonic() + READY_SECONDS
    while not true():
        if server.poll() is not None:
            raise NotReady(f"the program ended with exit code {server.returncode} before {what}\n{log.read_text()[-3000:]}")
        if time.monotonic() > end:
            raise NotReady(f"after {READY_SECONDS} s still not: {what}\n{log.read_text()[-3000:]}")
        time.sleep(0.1)


def native_address(log):
    """Where the native API is: the program's line that says so."""
    for line in log.read_text().splitlines():
        if "ready: " in line:
            return line.split("ready: ", 1)[1].split("/v1/", 1)[0].strip()
    return None


@contextlib.contextmanager
def served(program, suite, folder):
    """A server of a fresh array for one suite: what the suite has to know of it."""
    asked = HERE / suite / "arrays.txt"
    arrays = asked.read_text().split() if asked.is_file() else ARRAYS
    port, certificate, log = free_port(), folder / "cluster.pem", folder / "server.log"
    command = [program, "serve", "--listen", "127.0.0.1:0", "--ontap-port", str(port), "--cert-out", str(certificate), *arrays]
    clean = {name: value for name, value in os.environ.items() if not name.startswith("ARRAYPLANE_")}
    with open(log, "w") as out, subprocess.Popen(command, stdout=out, stderr=out, env={**clean, "ARRAYPLANE_PASSWORD": PASSWORD}) as server:
        try:
            wait(lambda: native_address(log), server, log, "the program says that it is ready")
            native = native_address(log)
            wait(lambda: answers(f"{native}/readyz"), server, log, f"{native}/readyz answers")
            ontap = f"https://127.0.0.1:{port}/api/cluster"
            wait(
                lambda: certificate.is_file() and answers(ontap, certificate, PASSWORD),
                server,
                log,
                f"{ontap} answers, with a certificate that is trusted",
            )
            yield {"host": "127.0.0.1", "port": str(port), "password": PASSWORD, "cert": str(certificate), "native": native}
            if server.poll() is not None:
                raise NotReady(f"the program ended with exit code {server.returncode} while the suite ran\n{log.read_text()[-3000:]}")
        finally:
            server.terminate()
            try:
                server.wait(20)
            except subprocess.TimeoutExpired:
                server.kill()


@contextlib.contextmanager
def present(place, folder):
    """A server that is there already."""
    host, _, port = place.rpartition(":")
    certificate = folder / "cluster.pem"
    certificate.write_text(ssl.get_server_certificate((host, int(port))))
    yield {"host": host, "port": port, "password": os.environ.get("ONTAP_PASSWORD", PASSWORD), "cert": str(certificate), "native": ""}


class Tally:
    """Counts and prints the checks of one suite, against the failures that are known."""

    def __init__(self, suite):
        lines = (HERE / suite / "known-failures.txt").read_text().splitlines() if (HERE / suite / "known-failures.txt").is_file() else []
        self.known = {line.strip() for line in lines if line.strip() and not line.startswith("#")}
        self.seen = set()
        self.failures = []
        self.passed = self.failed = self.excused = 0

    def ok(self, name):
        self.seen.add(name)
        if name in self.known:
            self.failed += 1
            self.failures.append(name)
            print(f"   FAILED {name}: it passes now; take it off known-failures.txt")
        else:
            self.passed += 1
            print(f"   ok     {name}")

    def bad(self, name, why):
        self.seen.add(name)
        if name in self.known:
            self.excused += 1
            print(f"   known  {name}: {why}")
        else:
            self.failed += 1
            self.failures.append(name)
            print(f"   FAILED {name}: {why}")

    def line(self, line):
        """One line of a suite: a check, or text about the one before."""
        if line.startswith("ok "):
            self.ok(line[3:].strip())
        elif line.startswith("FAILED "):
            name, _, why = line[7:].partition(": ")
            self.bad(name.strip(), why)
        else:
            print(f"          {line}")
        sys.stdout.flush()

    def close(self, complete):
        for name in sorted(self.known - self.seen) if complete else []:
            self.failed += 1
            self.failures.append(name)
            print(f"   FAILED {name}: known-failures.txt lists it, and there is no such check")


def run(suite, server, python, folder, tally):
    """Lets the suite run to its end, line by line."""
    given = {
        **{
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("ARRAYPLANE_", "ANSIBLE_")) and name not in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE")
        },
        "ONTAP_HOST": server["host"],
        "ONTAP_PORT": server["port"],
        "ONTAP_USER": "admin",
        "ONTAP_PASSWORD": server["password"],
        "ONTAP_CERT": server["cert"],
        "ONTAP_NATIVE": server["native"],
        "SUITE_FOLDER": str(folder),
        "PYTHONPATH": str(HERE / "support"),
        "PYTHONUNBUFFERED": "1",
        "NO_PROXY": "127.0.0.1,localhost",
    }
    command = [str(python), str(HERE / suite / "run.py")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=given, cwd=folder) as client:
        limit = threading.Timer(SUITE_SECONDS, client.kill)
        limit.start()
        try:
            for line in client.stdout:
                tally.line(line.rstrip("\n"))
            code = client.wait()
        finally:
            limit.cancel()
            if client.poll() is None:
                client.kill()
    return code


def one(program, suite, at):
    """One suite against a server of its own."""
    print(f"== {suite}", flush=True)
    tally, code = Tally(suite), None
    with tempfile.TemporaryDirectory(prefix=f"arrayplane-{suite}-") as place:
        folder = pathlib.Path(place)
        try:
            python = environment_of(suite)
            with present(at, folder) if at else served(program, suite, folder) as server:
                code = run(suite, server, python, folder, tally)
                if code != 0:
                    tally.bad("the suite runs to its end", f"exit code {code}")
        except (NotReady, subprocess.CalledProcessError, OSError) as cause:
            tally.bad("the server and the client can be started", str(cause))
    tally.close(code == 0)
    return tally


def main(arguments):
    at = None
    if arguments[:1] == ["--at"]:
        arguments = arguments[1:]
        at = arguments[0] if arguments else None
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__)
        return 2
    program, names = arguments[0], arguments[1:] or suites()
    unknown = sorted(set(names) - set(suites()))
    if unknown:
        print(f"no such suite: {', '.join(unknown)}; there are {', '.join(suites())}")
        return 2
    tallies = [one(program, name, at) for name in names]
    excused = sum(tally.excused for tally in tallies)
    for name, tally in zip(names, tallies):
        for failure in tally.failures:
            print(f"failed: {name}: {failure}")
    if excused:
        print(f"{excused} known failures")
    passed, failed = sum(tally.passed for tally in tallies), sum(tally.failed for tally in tallies)
    print(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
