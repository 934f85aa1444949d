"""The bed that Cinder lies on, made and taken away by plain REST: aggregates, an SVM with its services, LIFs and volumes."""
import time

import requests

SVM = 'cinder_svm'
POOL = 'cinder_pool'
SECOND_POOL = 'cinder_second'
GIB = 1 << 30


class Api:
    """Plain REST without any client library: waits for jobs, raises on errors."""

    def __init__(self, host, port, user, password, certificate):
        self.base = 'https://%s:%s/api' % (host, port)
        self.session = requests.Session()
        self.session.trust_env = False  # a CA bundle of the environment would win over the certificate given
        self.session.auth = (user, password)
        self.session.verify = certificate

    def call(self, method, path, body=None, **query):
        answer = self.session.request(method, self.base + path, json=body, params=query, timeout=90)
        value = answer.json() if answer.content else {}
        if answer.status_code >= 400:
            raise RuntimeError('%s %s: %s %s' % (method, path, answer.status_code, value.get('error')))
        if answer.status_code == 202:
            self._wait(value['job']['uuid'])
        return value

    def _wait(self, job):
        for _ in range(120):
            state = self.call('GET', '/cluster/jobs/' + job)
            if state['state'] == 'success':
                return
            if state['state'] not in ('queued', 'running'):
                raise RuntimeError('job %s: %s' % (state.get('description'), state.get('error')))
            time.sleep(0.5)
        raise RuntimeError('job %s does not end' % job)

    def records(self, path, **query):
        return self.call('GET', path, **query)['records']


def counts(api):
    """How many objects of each kind there are: the bed must leave them as they were."""
    return {path: api.call('GET', path, return_records='false')['num_records'] for path in (
        '/storage/aggregates', '/svm/svms', '/network/ip/interfaces', '/network/fc/interfaces', '/storage/volumes',
        '/storage/luns', '/storage/namespaces', '/protocols/san/igroups', '/protocols/nvme/subsystems',
        '/storage/qos/policies')}


def make(api):
    nodes = sorted(record['name'] for record in api.records('/cluster/nodes', fields='name'))
    for index, node in enumerate(nodes, 1):
        api.call('POST', '/storage/aggregates', {
            'name': 'cinder_aggr%d' % index, 'node': {'name': node},
            'block_storage': {'primary': {'disk_count': 6, 'raid_type': 'raid_dp'}}})
    api.call('POST', '/svm/svms', {
        'name': SVM, 'aggregates': [{'name': 'cinder_aggr%d' % index} for index in range(1, len(nodes) + 1)],
        'iscsi': {'enabled': True}, 'fcp': {'enabled': True}, 'nvme': {'enabled': True}}, return_timeout=60)
    for index, node in enumerate(nodes, 1):
        ports = {record['name']: record for record in api.records('/network/fc/ports', **{'node.name': node})}
        for protocol, port in (('fcp', sorted(ports)[0]),):
            api.call('POST', '/network/fc/interfaces', {
                'name': 'cinder_%s_%d' % (protocol, index), 'svm': {'name': SVM}, 'data_protocol': protocol,
                'location': {'home_port': {'name': port, 'node': {'name': node}}}})
        for policy, name, last in (('default-data-blocks', 'iscsi', 10), ('default-data-nvme-tcp', 'nvme', 20)):
            api.call('POST', '/network/ip/interfaces', {
                'name': 'cinder_%s_%d' % (name, index), 'svm': {'name': SVM},
                'ip': {'address': '192.0.2.%d' % (last + index), 'netmask': '24'}, 'service_policy': {'name': policy},
                'location': {'home_node': {'name': node}, 'broadcast_domain': {'name': 'Default'}}})
    for index, (name, guarantee) in enumerate(((POOL, 'none'), (SECOND_POOL, 'volume')), 1):
        api.call('POST', '/storage/volumes', {
            'name': name, 'svm': {'name': SVM}, 'aggregates': [{'name': 'cinder_aggr%d' % min(index, len(nodes))}],
            'size': 200 * GIB, 'guarantee': {'type': guarantee}, 'snapshot_policy': {'name': 'none'},
            'space': {'snapshot': {'reserve_percent': 0}}}, return_timeout=60)


def remove(api):
    """Takes everything of the SVM away, also what a failed check left behind; goes on after a refusal, tells the first."""
    refused = []

    def attempt(method, path, body=None, **query):
        try:
            return api.call(method, path, body, **query)
        except RuntimeError as error:
            refused.append(error)
            return {}

    mine = {'svm.name': SVM}
    for record in api.records('/protocols/san/igroups', **mine):
        attempt('DELETE', '/protocols/san/igroups/' + record['uuid'], allow_delete_while_mapped='true')
    for record in api.records('/protocols/nvme/subsystems', **mine):
        attempt('DELETE', '/protocols/nvme/subsystems/' + record['uuid'],
                allow_delete_while_mapped='true', allow_delete_with_hosts='true')
    for collection in ('/storage/luns/', '/storage/namespaces/'):
        for record in api.records(collection, **mine):
            attempt('DELETE', collection + record['uuid'], allow_delete_while_mapped='true')
    for record in api.records('/storage/volumes', is_svm_root='false', **mine):
        attempt('DELETE', '/storage/volumes/' + record['uuid'], force='true', return_timeout=60)
    for record in api.records('/storage/qos/policies', **mine):
        attempt('DELETE', '/storage/qos/policies/' + record['uuid'], return_timeout=60)
    for collection in ('/network/fc/interfaces/', '/network/ip/interfaces/'):
        for record in api.records(collection, **mine):
            if collection.startswith('/network/fc'):
                attempt('PATCH', collection + record['uuid'], {'enabled': False})
            attempt('DELETE', collection + record['uuid'])
    for service in ('/protocols/san/iscsi/services/', '/protocols/san/fcp/services/', '/protocols/nvme/services/'):
        for record in api.records(service, **mine):
            attempt('PATCH', service + record['svm']['uuid'], {'enabled': False})
            attempt('DELETE', service + record['svm']['uuid'])
    for record in api.records('/svm/svms', name=SVM):
        attempt('DELETE', '/svm/svms/' + record['uuid'], return_timeout=60)
    for record in api.records('/storage/aggregates', name='cinder_aggr*'):
        attempt('DELETE', '/storage/aggregates/' + record['uuid'], return_timeout=60)
    if refused:
        raise refused[0]
