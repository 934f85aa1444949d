"""Builds the image and uses it as its users would: tests/image/run.py PROGRAM

Exit codes: 0 all is as it should be, 1 something is not, 77 this machine has no container engine and cannot install one.
"""

import contextlib
import gzip
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = pathlib.Path(__file__).parent
TAG = "arrayplane-under-test"
NOT_RUN = 77
IMAGE_BYTES_MAX = 20_000_000


def run(*command, **options):
    """Runs a command that must succeed; answers with what it prints."""
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    assert done.returncode == 0, f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout.strip()


def succeeds(*command):
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def until(what, true, seconds=60):
    """Asks again and again whether something is true."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, f"after {seconds} s still not: {what}"
        time.sleep(0.1)


@contextlib.contextmanager
def engine():
    """A container engine: the one that runs, or one that is installed and started for the length of the test."""
    if succeeds("docker", "version"):
        yield
        return
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        sys.exit(NOT_RUN)
    if not shutil.which("dockerd"):
        get = ["apt-get", "-qq", "-o", "DPkg::Lock::Timeout=300"]
        run(*get, "update")
        run(*get, "install", "-y", "--no-install-recommends", "docker.io", "iptables", env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})
    with tempfile.TemporaryDirectory(prefix="engine-") as home:
        os.environ["DOCKER_HOST"] = f"unix://{home}/socket"
        options = ["--data-root", f"{home}/data", "--exec-root", f"{home}/exec", "--pidfile", f"{home}/pid", "-H", os.environ["DOCKER_HOST"]]
        with open(f"{home}/log", "w") as log:
            daemon = subprocess.Popen(["dockerd", *options], stdout=log, stderr=log)
        try:
            until("the engine answers", lambda: succeeds("docker", "version") or daemon.poll() is not None)
            if daemon.poll() is not None:
                print(pathlib.Path(f"{home}/log").read_text()[-2000:])
                sys.exit(NOT_RUN)
            yield
        finally:
            daemon.terminate()
            daemon.wait()


class Container:
    """A container that plays one array and keeps it in a volume. Its root is read-only, and it has no capability."""

    def __init__(self, program):
        self.program = program
        run("docker", "volume", "create", "arrays")
        hardened = ["--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"]
        keeps = ["--volume", "arrays:/data", "--env", "ARRAYPLANE_DATA_DIR=/data", "--env", "ARRAYPLANE_PASSWORD=correct-horse-1"]
        self.id = run("docker", "run", "--detach", *hardened, *keeps, "--publish", "127.0.0.1::8080", TAG, "serve", "lab=eternus-af250")
        self.wait()

    def wait(self):
        self.url = "http://" + run("docker", "port", self.id, "8080/tcp").splitlines()[0]
        run(self.program, "wait", self.url, "--timeout", "60")

    def ask(self, path, method="GET", body=None):
        """Asks the array; answers with its JSON."""
        request = urllib.request.Request(f"{self.url}/v1/arrays/lab{path}", method=method, data=None if body is None else json.dumps(body).encode())
        request.add_header("Authorization", "Basic YWRtaW46Y29ycmVjdC1ob3JzZS0x")
        request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def apply(self, file):
        environment = {**os.environ, "ARRAYPLANE_USER": "admin", "ARRAYPLANE_PASSWORD": "correct-horse-1"}
        return run(self.program, "apply", f"{self.url}/v1/arrays/lab", file, env=environment)

    def everything(self):
        """What must outlive the process."""
        nouns = ["volumes", "pools", "raid-groups", "drives", "hosts", "affinities", "jobs", "events"]
        return {noun: self.ask(f"/{noun}?limit=1000")["items"] for noun in nouns} | {"capacity": self.ask("/capacity")}

    def healthy(self):
        return run("docker", "inspect", "--format", "{{.State.Health.Status}}", self.id) == "healthy"


def the_image_is_small_and_runs_as_nobody():
    size = len(gzip.compress(subprocess.run(["docker", "save", TAG], stdout=subprocess.PIPE, check=True).stdout, 6))
    assert size < IMAGE_BYTES_MAX, f"the image has {size} bytes compressed, more than {IMAGE_BYTES_MAX}"
    print(f"image: {size / 1e6:.1f} MB compressed")
    assert run("docker", "inspect", "--format", "{{.Config.User}}", TAG) == "65532:65532"


def it_does_not_serve_everybody_by_accident():
    done = subprocess.run(["docker", "run", "--rm", TAG], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert done.returncode == 2 and "--password" in done.stderr, f"{done.returncode}: {done.stderr}"


def a_layout_of_ones_own_is_applied(container):
    told = container.apply(HERE / "layout.yaml")
    assert "pool" in told and "VOL3" in told, told
    assert container.ask("/consistency")["consistent"] is True


def a_pulled_drive_is_rebuilt_on_a_scaled_clock(container):
    member = container.ask("/raid-groups/RG0")["drives"][0]
    before = container.ask("/capacity")
    container.ask("/clock", "PATCH", {"mode": "scaled", "factor": 100_000})
    container.ask(f"/drives/{urllib.request.quote(member)}/pull", "POST", {})
    until("the spare is in use", lambda: container.ask("/raid-groups/RG0")["status"] == "spare_in_use")
    container.ask(f"/drives/{urllib.request.quote(member)}/replace", "POST", {})
    until("the drive is copied back", lambda: container.ask("/raid-groups/RG0")["status"] == "available")
    container.ask("/clock", "PATCH", {"mode": "manual"})
    assert container.ask("/capacity") == before, "capacity is as it was"
    codes = [event["code"] for event in container.ask("/events?limit=1000")["items"]]
    told = [code for code in codes if code.startswith(("drive_", "rebuild_", "copyback_"))]
    for code in ["drive_pulled", "rebuild_started", "rebuild_ended", "copyback_started", "copyback_ended"]:
        assert code in told, f"{code} is not among {told}"


def everything_is_there_after(container, *stop):
    before = container.everything()
    run("docker", *stop, container.id)
    until("it has ended", lambda: run("docker", "inspect", "--format", "{{.State.Running}}", container.id) == "false")
    run("docker", "start", container.id)
    container.wait()
    after = container.everything()
    for noun, objects in before.items():
        assert after[noun] == objects, f"after docker {stop[0]} {noun} differ:\n{objects}\n{after[noun]}"


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    with engine():
        run(HERE.parent.parent / "docker" / "build", TAG, program)
        the_image_is_small_and_runs_as_nobody()
        it_does_not_serve_everybody_by_accident()
        container = Container(program)
        until("it is healthy", container.healthy)
        a_layout_of_ones_own_is_applied(container)
        a_pulled_drive_is_rebuilt_on_a_scaled_clock(container)
        everything_is_there_after(container, "stop")
        assert run("docker", "inspect", "--format", "{{.State.ExitCode}}", container.id) == "0"
        everything_is_there_after(container, "kill")
        run("docker", "rm", "--force", container.id)
        run("docker", "volume", "rm", "arrays")
        run("docker", "rmi", TAG)


main()
