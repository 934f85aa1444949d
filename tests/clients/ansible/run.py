"""Playbooks of netapp.ontap: create, create again, check mode, modify, modify again, refusals, delete; the cluster must be as it was before."""

import json
import os
import pathlib
import subprocess
import sys

import requests
from cryptography import x509
from checks import check, end, said, same, true

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = pathlib.Path(os.environ["SUITE_FOLDER"])
BASE = f"https://{os.environ['ONTAP_HOST']}:{os.environ['ONTAP_PORT']}/api"
# What a cluster consists of, and which of it differs from one moment to the next.
COLLECTIONS = """cluster/nodes cluster/schedules cluster/licensing/licenses svm/svms storage/aggregates storage/disks storage/volumes storage/luns
storage/namespaces storage/qos/policies storage/snapshot-policies storage/volume-efficiency-policies storage/qtrees protocols/san/igroups
protocols/san/lun-maps protocols/san/portsets protocols/san/iscsi/services protocols/san/iscsi/credentials protocols/san/fcp/services
protocols/nvme/services protocols/nvme/subsystems protocols/nvme/subsystem-maps network/ip/interfaces network/fc/interfaces network/fc/ports
network/ethernet/ports network/ethernet/broadcast-domains network/ipspaces network/ip/routes network/ip/service-policies
application/consistency-groups security/accounts security/roles security/login/messages security/certificates support/ems/destinations
support/ems/filters""".split()
SINGLES = ["cluster", "support/autosupport", "support/ems", "storage/cluster"]
MOVING = {
    "_links",
    "metric",
    "statistics",
    "uptime",
    "date",
    "time",
    "timestamp",
    "stats",
    "efficiency_without_snapshots",
    "inactive_data",
    "last_failed_message",
}


def still(record):
    """A record without what moves by itself."""
    if isinstance(record, dict):
        return {name: still(value) for name, value in record.items() if name not in MOVING}
    if isinstance(record, list):
        return sorted((still(value) for value in record), key=lambda value: json.dumps(value, sort_keys=True))
    return record


def cluster():
    """Everything that the cluster consists of."""
    session = requests.Session()
    session.auth = (os.environ["ONTAP_USER"], os.environ["ONTAP_PASSWORD"])
    found = {}
    for path in SINGLES + COLLECTIONS:
        answer = session.get(f"{BASE}/{path}?fields=*", verify=os.environ["ONTAP_CERT"], timeout=60)
        answer.raise_for_status()
        body = still(answer.json())
        found[path] = body if path in SINGLES else body["records"]
    return found


def differences(before, after):
    """In words, what is another."""
    lines = []
    for path, was in before.items():
        now = after[path]
        if was == now:
            continue
        if isinstance(was, list):
            gone = [record for record in was if record not in now]
            new = [record for record in now if record not in was]
            lines.append(f"{path}: {json.dumps(gone)[:600]} became {json.dumps(new)[:600]}")
        else:
            lines.append(
                f"{path}: "
                + ", ".join(f"{name} {was.get(name)!r} became {now.get(name)!r}" for name in sorted({*was, *now}) if was.get(name) != now.get(name))
            )
    return lines


def unchanged(name, before):
    with check(name):
        lines = differences(before, cluster())
        true(not lines, "; ".join(lines))


def variables(found):
    """What the plays are told: how to log in, which ports there are, and what is to be given back in the end."""
    ports = sorted(
        port["name"]
        for port in found["network/ethernet/ports"]
        if port["node"]["name"] == "lab-01" and port["name"] != "e0M" and port.get("broadcast_domain", {}).get("name") == "Default"
    )
    messages = next((record for record in found["security/login/messages"] if record.get("scope") == "cluster"), {})
    autosupport, ems = found["support/autosupport"], found["support/ems"]
    node = next(record for record in found["cluster/nodes"] if record["name"] == "lab-01")
    certificate = pathlib.Path(os.environ["ONTAP_CERT"]).read_bytes()
    names = x509.load_pem_x509_certificate(certificate).subject.get_attributes_for_oid(x509.NameOID.COMMON_NAME)
    return {
        "ansible_connection": "local",
        "ansible_python_interpreter": sys.executable,
        "login": {
            "hostname": os.environ["ONTAP_HOST"],
            "http_port": int(os.environ["ONTAP_PORT"]),
            "https": True,
            "validate_certs": False,
            "username": os.environ["ONTAP_USER"],
            "password": os.environ["ONTAP_PASSWORD"],
            "use_rest": "always",
        },
        "data_port": ports[0],
        "spare_port": ports[-1],
        "fc_ports": sorted(port["name"] for port in found["network/fc/ports"] if port["node"]["name"] == "lab-01"),
        "certificate": certificate.decode(),
        "common_name": names[0].value if names else "cluster",
        "before": {
            "contact": found["cluster"].get("contact", ""),
            "location": found["cluster"].get("location", ""),
            "node_location": node.get("location", ""),
            "banner": messages.get("banner", ""),
            "message": messages.get("message", ""),
            "show_message": messages.get("show_cluster_message", False),
            "mail_from": ems.get("mail_from", ""),
            "mail_server": ems.get("mail_server", ""),
            "to": autosupport.get("to", []),
            "from": autosupport.get("from", ""),
            "mail_hosts": autosupport.get("mail_hosts", []),
        },
    }


def play(book, *options):
    """Runs a playbook; what each task says, by its name."""
    environment = {
        **os.environ,
        "ANSIBLE_STDOUT_CALLBACK": "ansible.posix.json",
        "ANSIBLE_PIPELINING": "True",
        "ANSIBLE_DEPRECATION_WARNINGS": "False",
        "ANSIBLE_LOCALHOST_WARNING": "False",
        "ANSIBLE_NOCOLOR": "True",
        "ANSIBLE_HOME": str(FOLDER / "home"),
        "ANSIBLE_LOCAL_TEMP": str(FOLDER / "home" / "tmp"),
        "ANSIBLE_CONFIG": str(FOLDER / "ansible.cfg"),
        "PYTHONWARNINGS": "ignore",
        "LC_ALL": "C.UTF-8",
    }
    program = str(pathlib.Path(sys.executable).parent / "ansible-playbook")
    command = [program, "-i", "localhost,", "-e", f"@{FOLDER / 'variables.json'}", *options, str(HERE / book)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=FOLDER)
    start = done.stdout.find("{")
    if start < 0:
        raise RuntimeError(f"{book}: exit code {done.returncode}: {done.stdout[-500:]} {done.stderr[-1500:]}")
    said_by = json.JSONDecoder().raw_decode(done.stdout[start:])[0]
    return {task["task"]["name"]: task["hosts"]["localhost"] for task in said_by["plays"][0]["tasks"]}


def reason(result):
    return result.get("msg") or result.get("module_stderr") or result.get("exception") or result


def passes(what, book, changes, *options):
    """A check for each task: it succeeded, and did or did not change something."""
    try:
        results = play(book, *options)
    except Exception as cause:
        said(f"{what} - the playbook runs", cause)
        return
    for name, result in results.items():
        with check(f"{what} - {name}"):
            true(not result.get("failed"), reason(result))
            wanted = changes and not name.startswith("reads")
            if not result.get("skipped"):
                same(bool(result.get("changed")), wanted, f"changed (the module says {json.dumps(result.get('modify', {}))[:300]})")
            else:
                true(not wanted, "it was skipped")


def refusals():
    try:
        results = play("refusals.yml")
    except Exception as cause:
        said("refusals - the playbook runs", cause)
        return
    for name, result in results.items():
        what, _, numbers = name.rpartition(" - ")
        with check(f"refusal - {what}"):
            text = str(reason(result))
            true(result.get("failed"), f"it was not refused: {text[:300]}")
            true(any(f"'{number}'" in text or f" {number}" in text for number in numbers.split()), f"none of {numbers} is in: {text}")


def main():
    before = cluster()
    (FOLDER / "ansible.cfg").write_text("[defaults]\n")
    (FOLDER / "variables.json").write_text(json.dumps(variables(before)))
    passes("create", "create.yml", True)
    made = cluster()
    passes("create again", "create.yml", False)
    unchanged("create again - the cluster is the same", made)
    passes("check mode", "modify.yml", True, "--check")
    unchanged("check mode - the cluster is the same", made)
    refusals()
    unchanged("refusals - the cluster is the same", made)
    passes("modify", "modify.yml", True)
    changed = cluster()
    passes("modify again", "modify.yml", False)
    unchanged("modify again - the cluster is the same", changed)
    passes("delete", "delete.yml", True)
    unchanged("delete - the cluster is as it was at the start", before)
    end()


main()
