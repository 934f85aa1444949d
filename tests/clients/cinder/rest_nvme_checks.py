"""The NVMe calls of Cinder's REST client."""
import bed
import rest_checks
from report import equal, true
from rest_checks import GIB, refused

NQN = 'nqn.2014-08.org.nvmexpress:uuid:0a1b2c3d-0000-4000-8000-000000000001'
OTHER = 'nqn.2014-08.org.nvmexpress:uuid:0a1b2c3d-0000-4000-8000-000000000002'


def run(report, target):
    def check(name, **options):
        return report.check('rest client, NVMe: ' + name, **options)

    client = None
    with check('connect'):
        client = rest_checks.connect(target)
    if client is None:
        return
    path = '/vol/%s/name' % bed.POOL
    with check('create_namespace'):
        client.create_namespace(bed.POOL, 'name', GIB, {'OsType': 'linux'})
    with check('create_namespace of a path that is taken is refused', complains=True):
        with refused():
            client.create_namespace(bed.POOL, 'name', GIB, {'OsType': 'linux'})
    with check('get_namespace_list, get_namespace_by_args'):
        equal([each['Path'] for each in client.get_namespace_list()], [path], 'namespaces')
        found = client.get_namespace_by_args(vserver=bed.SVM, path=path)[0]
        equal((found['Size'], found['Volume'], found['OsType'], found['BlockSize']), (GIB, bed.POOL, 'linux', 4096), 'namespace')
        true(isinstance(found['SpaceReserved'], bool), 'SpaceReserved')
    with check('namespace_resize, get_namespace_sizes_by_volume'):
        client.namespace_resize(path, 2 * GIB)
        equal(client.get_namespace_sizes_by_volume(bed.POOL), [{'path': path, 'size': float(2 * GIB)}], 'sizes')
    with check('clone_namespace'):
        client.clone_namespace(bed.POOL, 'name', 'twin')
        equal(client.get_namespace_by_args(path='/vol/%s/twin' % bed.POOL)[0]['Size'], 2 * GIB, 'size')
    with check('create_subsystem'):
        client.create_subsystem('openstack-sub', 'linux', NQN)
        equal(client.get_subsystem_by_host(NQN), [{'name': 'openstack-sub', 'os_type': 'linux'}], 'subsystems')
    with check('get_nvme_subsystem_nqn'):
        name = client.get_nvme_subsystem_nqn('openstack-sub')
        true(name.startswith('nqn.1992-08.com.netapp:sn.') and name.endswith(':subsystem.openstack-sub'), name)
    with check('get_nvme_target_portals'):
        equal(sorted(client.get_nvme_target_portals()), ['192.0.2.21', '192.0.2.22'], 'portals')
    with check('map_namespace, get_namespace_map, get_subsystem_by_path'):
        uuid = client.get_namespace_by_args(path=path)[0]['UUID']
        equal(client.map_namespace(path, 'openstack-sub'), uuid, 'uuid of the namespace')
        found = client.get_namespace_map(path)
        equal([(m['subsystem'], m['uuid'], m['vserver']) for m in found], [('openstack-sub', uuid, bed.SVM)], 'maps')
        equal(client.get_subsystem_by_path(path), [{'name': 'openstack-sub', 'os_type': 'linux'}], 'subsystem of the path')
    with check('map_namespace again is refused', complains=True):
        with refused():
            client.map_namespace(path, 'openstack-sub')
    with check('map_host_with_subsystem, and again'):
        subsystem = client.get_namespace_map(path)[0]['subsystem_uuid']
        client.map_host_with_subsystem(OTHER, subsystem)
        client.map_host_with_subsystem(OTHER, subsystem)
        equal(client.get_subsystem_by_host(OTHER), [{'name': 'openstack-sub', 'os_type': 'linux'}], 'subsystems')
    with check('unmap_host_with_subsystem'):
        client.unmap_host_with_subsystem(OTHER, subsystem)
        equal(client.get_subsystem_by_host(OTHER), [], 'subsystems')
    with check('unmap_namespace'):
        client.unmap_namespace(path, 'openstack-sub')
        equal(client.get_namespace_map(path), [], 'maps')
    with check('destroy_namespace, also one that is mapped'):
        client.map_namespace(path, 'openstack-sub')
        client.destroy_namespace(path)
        client.destroy_namespace('/vol/%s/twin' % bed.POOL)
        equal(client.get_namespace_list(), [], 'namespaces')
    with check('delete the subsystem'):
        client.send_request('/protocols/nvme/subsystems/%s' % subsystem, 'delete',
                            query={'allow_delete_with_hosts': 'true'})
