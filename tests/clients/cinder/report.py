"""One line for each check: `ok NAME`, or `FAILED NAME: why`.

Cinder swallows many refusals of the array: it logs them and goes on with a default.
So a check also fails when its code logged a warning or an error, unless the check says that Cinder complains.
"""
import contextlib
import logging
import threading
import traceback


class _Complaints(logging.Handler):
    def __init__(self):
        super().__init__(logging.WARNING)
        self.lines = []

    def emit(self, record):
        if record.thread != threading.main_thread().ident:
            return  # a periodic task of a driver; a check of its own runs each of them
        line = record.getMessage()
        if record.exc_info and record.exc_info[1] is not None:
            line += ' [%s: %s]' % (record.exc_info[0].__name__, record.exc_info[1])
        self.lines.append(' '.join(line.split())[:400])


class Report:
    def __init__(self):
        self.passed = 0
        self.failed = 0
        self.complaints = _Complaints()
        logging.getLogger().addHandler(self.complaints)

    @contextlib.contextmanager
    def check(self, name, complains=False):
        """The body of the `with` is the check."""
        self.complaints.lines.clear()
        try:
            yield
            if self.complaints.lines and not complains:
                raise AssertionError('it logged: ' + self.complaints.lines[0])
        except Exception as error:  # a failed check must not end the run
            self.failed += 1
            where = traceback.extract_tb(error.__traceback__)[-1]
            why = ' '.join(str(error).split())[:600]
            print('FAILED %s: %s: %s (%s:%s)' % (
                name, type(error).__name__, why, where.filename.rsplit('/', 1)[-1], where.lineno), flush=True)
        else:
            self.passed += 1
            print('ok %s' % name, flush=True)


def equal(found, wanted, what=''):
    if found != wanted:
        raise AssertionError('%s: found %r, wanted %r' % (what or 'value', found, wanted))


def true(found, what):
    if not found:
        raise AssertionError(what)
