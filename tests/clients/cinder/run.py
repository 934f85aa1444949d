#!/usr/bin/env python3
"""Cinder's NetApp driver, as PyPI has it, against an array that speaks ONTAP.

Reads ONTAP_HOST, ONTAP_PORT, ONTAP_USER, ONTAP_PASSWORD and ONTAP_CERT (path of the array's certificate) from the
environment. Prints one line a check; ends with 1 when one failed. The array is left as it was found.
"""
import os
import sys
import tempfile

# `requests` lets these win over the certificate of the driver's own option netapp_ssl_cert_path.
for _name in ('REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'):
    os.environ.pop(_name, None)
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import bed  # noqa: E402
import report as reporting  # noqa: E402


def main():
    target = {key: os.environ['ONTAP_' + name] for key, name in (
        ('host', 'HOST'), ('port', 'PORT'), ('user', 'USER'), ('password', 'PASSWORD'), ('certificate', 'CERT'))}
    report = reporting.Report()
    api = bed.Api(**target)
    before = {}
    with report.check('the bed is made by plain REST'):
        before.update(bed.counts(api))
        bed.make(api)
    if not report.failed:
        with tempfile.TemporaryDirectory(prefix='cinder-') as state:
            _cinder(report, api, target, state)
    with report.check('the bed is taken away'):
        bed.remove(api)
        reporting.equal(bed.counts(api), before, 'objects left')
    print('%d ok, %d failed' % (report.passed, report.failed), flush=True)
    return 1 if report.failed else 0


def _cinder(report, api, target, state):
    import driver_checks
    import rest_checks
    import rest_nvme_checks
    import service
    with report.check('the stand-in for the Cinder service starts'):
        service.start(state, target, {
            'iscsi': ('iscsi', ''), 'fc': ('fc', ''),
            'no_zapi': ('iscsi', 'netapp_allow_zapi_fallback = false\nnetapp_lun_space_reservation = disabled')})
    if not report.failed:
        rest_checks.run(report, target)
        rest_nvme_checks.run(report, target)
        driver_checks.run(report, api)
        service.stop()


if __name__ == '__main__':
    status = main()
    sys.stdout.flush()
    os._exit(status)  # Cinder's periodic tasks are threads that nothing ends
