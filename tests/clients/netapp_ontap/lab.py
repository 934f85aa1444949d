"""The connection to the cluster, and how its answers are read and its refusals checked."""

import os

from checks import Wrong, same, true
from netapp_ontap import HostConnection, NetAppRestError, config
from netapp_ontap.resource import Resource
from netapp_ontap.resources import Job

MB, GB = 2**20, 2**30
SVM = "vs1"


def connection(user=None, password=None, **options):
    given = os.environ
    options.setdefault("verify", given["ONTAP_CERT"])
    return HostConnection(
        given["ONTAP_HOST"],
        username=user or given["ONTAP_USER"],
        password=password or given["ONTAP_PASSWORD"],
        port=int(given["ONTAP_PORT"]),
        poll_interval=1,
        poll_timeout=60,
        **options,
    )


def whole(resource):
    """The library's check of types, for nested values too: as it comes, it takes the objects that it made of them itself for wrong values."""
    found = {name: each for name, each in resource.to_dict().items() if each is not None}
    wrong = {name: errors for name, errors in resource._schema_instance.validate(found).items() if errors != ["Not a valid datetime."]}
    if wrong:
        raise NetAppRestError(f"values of the wrong type: {wrong}")


def connect():
    """From here on the library refuses answers with fields that are not documented, and values of the wrong type."""
    config.CONNECTION = connection()
    config.STRICT_FIELD_ACCEPTANCE = True
    config.STRICT_SCHEMA_TYPE_CHECK = True
    Resource.validate_schema = whole


def raw(method, path, **options):
    """A request past the library's own checks."""
    host = config.CONNECTION
    return host.session.request(method, f"{host.origin}{path}", **options)


def value(resource, path):
    """A field of a resource by its dotted path; None if it is not there."""
    found = resource.to_dict() if hasattr(resource, "to_dict") else resource
    for name in path.split("."):
        if not isinstance(found, dict) or name not in found:
            return None
        found = found[name]
    return found


def reads(resource, fields="*", **expected):
    """Reads the resource again and compares fields; `__` stands for the dot in their names."""
    resource.get(fields=fields)
    for name, wanted in expected.items():
        path = name.replace("__", ".")
        same(value(resource, path), wanted, path)
    return resource


def change(resource, **fields):
    """Sends only these fields: what a resource is made with counts as known to the cluster."""
    for name, wanted in fields.items():
        setattr(resource, name, wanted)
    resource.patch()


def names(found):
    return sorted(record.name for record in found)


def fresh(kind, *parents, **query):
    """The one resource that matches."""
    found = list(kind.get_collection(*parents, fields="*", **{name.replace("__", "."): wanted for name, wanted in query.items()}))
    same(len(found), 1, f"the number of {kind.__name__} with {query}")
    return found[0]


def code_of_job():
    """The error number of the job that failed last."""
    failed = list(Job.get_collection(state="failure", order_by="end_time desc", fields="*"))
    return str(value(failed[0], "error.code") or value(failed[0], "code")) if failed else None


def refusal(code, message, codes):
    true(code in codes, f"it was refused with {code!r} ({message}), not with {' or '.join(codes)}")
    true(message, f"the refusal {code} has no message")


def refused(codes, statuses, call):
    """The call must be refused with one of the error numbers: at once with one of the statuses, or by its job."""
    codes = [str(code) for code in (codes if isinstance(codes, (list, tuple)) else [codes])]
    statuses = statuses if isinstance(statuses, (list, tuple)) else [statuses]
    try:
        call()
    except NetAppRestError as error:
        if error.status_code is None:
            refusal(code_of_job(), str(error), codes)
            return
        body = (error.response_body or {}).get("error", {})
        refusal(body.get("code"), body.get("message"), codes)
        true(error.status_code in statuses, f"the status of number {body.get('code')} is {error.status_code}, not {statuses}")
    else:
        raise Wrong(f"it was done, not refused with {' or '.join(codes)}")


def refused_raw(codes, statuses, method, path, **options):
    """The same past the library."""
    answer = raw(method, path, **options)
    codes = [str(code) for code in (codes if isinstance(codes, (list, tuple)) else [codes])]
    statuses = statuses if isinstance(statuses, (list, tuple)) else [statuses]
    true(answer.status_code in statuses, f"the status is {answer.status_code}, not {statuses}: {answer.text[:300]}")
    refusal(answer.json()["error"]["code"], answer.json()["error"]["message"], codes)
