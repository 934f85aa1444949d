"""How a suite says what passed: one line for each check, `ok NAME` or `FAILED NAME: WHY`."""

import contextlib
import sys
import traceback

NAMES = set()


class Wrong(AssertionError):
    """A check that does not hold, with what was found instead."""


def one_line(text):
    return " ".join(str(text).split())[:1500]


def said(name, why=None):
    """Prints the line of one check."""
    name = one_line(name).replace(": ", " - ")
    if name in NAMES:
        why = f"two checks have this name; {why or 'the second passed'}"
        name = f"{name} (again)"
    NAMES.add(name)
    print(f"ok {name}" if why is None else f"FAILED {name}: {one_line(why)}", flush=True)


@contextlib.contextmanager
def check(name):
    """One check: what happens inside must not raise."""
    try:
        yield
    except Exception as cause:  # whatever a client throws is a failure of this one check
        where = traceback.extract_tb(cause.__traceback__)
        mine = [frame for frame in where if "site-packages" not in frame.filename and not frame.filename.endswith(("contextlib.py", "checks.py"))]
        line = f" (line {mine[-1].lineno} of {mine[-1].filename.rsplit('/', 1)[-1]})" if mine else ""
        said(name, f"{type(cause).__name__}: {cause}{line}")
    else:
        said(name)


def same(found, expected, what="it"):
    if found != expected:
        raise Wrong(f"{what} is {found!r}, not {expected!r}")


def true(condition, what):
    if not condition:
        raise Wrong(what)


def within(item, collection, what="it"):
    if item not in collection:
        raise Wrong(f"{what} does not have {item!r}: {collection!r}")


def end():
    """The last line of a suite: it ran to its end, whatever the checks said."""
    sys.exit(0)
