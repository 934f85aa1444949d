"""Calls of Cinder's REST client one by one, with what it makes of the answers."""
import contextlib

from cinder.volume.drivers.netapp.dataontap.client import api as netapp_api
from cinder.volume.drivers.netapp.dataontap.client import client_cmode_rest

import bed
from report import equal, true

GIB = bed.GIB
IQN = 'iqn.1994-05.com.redhat:rest-client'
WWPN = '21:00:00:24:ff:00:00:01'
META = {'OsType': 'linux', 'SpaceReserved': 'false', 'SpaceAllocated': 'true'}
POLICY = {'policy_name': 'cinder_policy', 'max_throughput': '500iops', 'min_throughput': '100iops'}


def connect(target, vserver=bed.SVM, password=None):
    return client_cmode_rest.RestClient(
        hostname=target['host'], port=target['port'], transport_type='https', username=target['user'],
        password=password or target['password'], vserver=vserver, api_trace_pattern='(.*)', private_key_file=None,
        certificate_file=None, ca_certificate_file=None, certificate_host_validation=None,
        ssl_cert_path=target['certificate'], async_rest_timeout=60, zapi_fallback_enabled=False)


@contextlib.contextmanager
def refused(code=None):
    """The body is refused by the array, with this number if one is given."""
    try:
        yield
    except netapp_api.NaApiError as error:
        if code is not None:
            equal(str(error.code), code, 'number of the refusal (%s)' % error.message)
        return
    raise AssertionError('it was not refused')


def run(report, target):
    def check(name, **options):
        return report.check('rest client: ' + name, **options)

    client = None
    with check('a wrong password is refused', complains=True):
        with refused():
            connect(target, password='not-the-password')
    with check('connect'):
        client = connect(target)
    if client is None:
        return
    _cluster(check, client)
    _pools(check, client)
    _luns(check, client)
    _maps(check, client)
    _policies(check, client)
    _snapshots(check, client)
    _counters(check, client)


def _cluster(check, client):
    with check('get_ontap_version'):
        version = client.get_ontap_version(cached=False)
        true(version >= (9, 11, 1) and all(isinstance(part, int) for part in version), 'version %r' % (version,))
    with check('get_cluster_name'):
        true(client.get_cluster_name(), 'it is empty')
    with check('get_svm_uuid_by_name'):
        equal(len(client.get_svm_uuid_by_name() or ''), 36, 'length of the uuid')
    with check('check_api_permissions'):
        equal(client.check_api_permissions(), [], 'extra specs that the account may not use')
    with check('_get_cluster_nodes_info'):
        nodes = client._get_cluster_nodes_info()
        equal([node['is_all_flash'] for node in nodes], [True, True], 'all flash')
        equal([node['is_all_flash_select'] for node in nodes], [False, False], 'all flash select')
    with check('send_ems_log_message'):
        client.send_ems_log_message({
            'computer-name': 'here', 'event-source': 'Cinder driver', 'app-version': '29.0.0', 'category': 'provisioning',
            'log-level': '5', 'auto-support': 'false', 'event-id': '0', 'event-description': 'connected'})
    with check('get_vserver_peers'):
        equal(client.get_vserver_peers(), [], 'peers')
    with check('get_snapmirrors'):
        equal(client.get_snapmirrors(bed.SVM, bed.POOL, bed.SVM, bed.SECOND_POOL), [], 'relationships')
    with check('pages: two records a page give all'):
        names = client.get_records('/storage/disks', {'fields': 'name'}, enable_tunneling=False)
        paged = client.get_records('/storage/disks', {'fields': 'name'}, enable_tunneling=False, max_page_length=2)
        equal(len(paged['records']), len(names['records']), 'disks')
        equal(paged['num_records'], len(names['records']), 'num_records')


def _pools(check, client):
    with check('list_flexvols'):
        equal(sorted(client.list_flexvols()), [bed.POOL, bed.SECOND_POOL], 'volumes')
    with check('get_flexvol'):
        found = client.get_flexvol(flexvol_name=bed.POOL)
        equal((found['vserver'], found['aggregate'], found['type'], found['style-extended']),
              (bed.SVM, ['cinder_aggr1'], 'rw', 'flexvol'), 'place and kind')
        equal((found['space-guarantee'], found['percentage-snapshot-reserve'], found['size'], found['snapshot-policy']),
              ('none', '0', str(200 * GIB), 'none'), 'space')
        equal(found['space-guarantee-enabled'], True, 'guarantee honoured')
        true(found['language'], 'no language')
    with check('get_flexvol_capacity'):
        found = client.get_flexvol_capacity(flexvol_name=bed.POOL)
        equal(found['size-total'], float(200 * GIB), 'size-total')
        true(0 < found['size-available'] <= found['size-total'], 'size-available')
    with check('get_volume_state'):
        equal(client.get_volume_state(name=bed.POOL), 'online', 'state')
        equal(client.get_volume_state(name='nothing'), None, 'state of no volume')
    with check('get_flexvol_dedupe_info'):
        found = client.get_flexvol_dedupe_info(bed.POOL)
        true(isinstance(found['dedupe'], bool) and isinstance(found['compression'], bool), 'no booleans')
        true(found['logical-data-limit'] > 0, 'logical-data-limit')
    with check('get_flexvol_dedupe_used_percent'):
        true(0 <= client.get_flexvol_dedupe_used_percent(bed.POOL) <= 100, 'percent')
    with check('get_clone_split_info'):
        equal(client.get_clone_split_info(bed.POOL), {'unsplit-size': 0, 'unsplit-clone-count': 0}, 'clones')
    with check('is_flexvol_mirrored, is_flexvol_encrypted'):
        equal(client.is_flexvol_mirrored(bed.POOL, bed.SVM), False, 'mirrored')
        equal(client.is_flexvol_encrypted(bed.POOL, bed.SVM), False, 'encrypted')
    with check('get_volume_snapshot_dir_access'):
        equal(client.get_volume_snapshot_dir_access(bed.POOL), True, 'access')
    with check('flexvol_exists'):
        equal((client.flexvol_exists(bed.POOL), client.flexvol_exists('nothing')), (True, False), 'exists')
    with check('get_provisioning_options_from_flexvol'):
        equal(client.get_provisioning_options_from_flexvol(bed.POOL)['size'], 200, 'size')
    with check('get_flexvols_cg_info'):
        equal(client.get_flexvols_cg_info([bed.POOL, bed.SECOND_POOL]), [
            {'flexvol_name': bed.POOL, 'svm_name': bed.SVM, 'cg_name': None},
            {'flexvol_name': bed.SECOND_POOL, 'svm_name': bed.SVM, 'cg_name': None}], 'groups')
    with check('get_aggregate'):
        found = client.get_aggregate('cinder_aggr1')
        equal((found['name'], found['raid-type'], found['is-hybrid']), ('cinder_aggr1', 'raid_dp', False), 'aggregate')
        equal(client.get_node_for_aggregate('cinder_aggr1'), found['node-name'], 'node')
    with check('get_aggregate_disk_types'):
        equal(len(client.get_aggregate_disk_types('cinder_aggr1')), 1, 'kinds of disks')
    with check('get_aggregate_capacities'):
        found = client.get_aggregate_capacities(['cinder_aggr1', 'cinder_aggr2'])
        for name, space in found.items():
            true(0 < space['size-available'] <= space['size-total'], name)
    with check('create_flexvol and enable_volume_dedupe_async, mount_flexvol'):
        answer = client.create_flexvol('cinder_made', 'cinder_aggr1', 1, space_guarantee_type='none',
                                       snapshot_policy='none', language='c.utf_8', dedupe_enabled=True,
                                       compression_enabled=True, snapshot_reserve='5')
        client._wait_job_result('/cluster/jobs/' + answer['jobid'])
        client.enable_volume_dedupe_async('cinder_made')
        client.enable_volume_compression_async('cinder_made')
        client.mount_flexvol('cinder_made', '/elsewhere')
        found = client.get_flexvol(flexvol_name='cinder_made')
        equal((found['percentage-snapshot-reserve'], found['size']), ('5', str(GIB)), 'volume made')
        info = client.get_flexvol_dedupe_info('cinder_made')
        equal((info['dedupe'], info['compression']), (True, True), 'efficiency')
        uuid = client._get_volume_by_args(vol_name='cinder_made')['uuid']
        client.send_request('/storage/volumes/' + uuid, 'delete')
        equal(client.flexvol_exists('cinder_made'), False, 'exists')


def _luns(check, client):
    path = '/vol/%s/one' % bed.POOL
    with check('create_lun'):
        client.create_lun(bed.POOL, 'one', GIB, META)
    with check('create_lun of a path that is taken is refused', complains=True):
        with refused():
            client.create_lun(bed.POOL, 'one', GIB, META)
    with check('create_lun in no volume is refused', complains=True):
        with refused():
            client.create_lun('nothing', 'one', GIB, META)
    with check('get_lun_by_args'):
        found = client.get_lun_by_args(vserver=bed.SVM, path=path)
        equal(len(found), 1, 'LUNs')
        equal((found[0]['Size'], found[0]['Volume'], found[0]['OsType'], found[0]['SpaceReserved'], found[0]['Qtree']),
              (GIB, bed.POOL, 'linux', False, ''), 'LUN')
        equal(found[0]['SpaceAllocated'], True, 'space allocation')
        equal(client.get_lun_by_args(uuid=found[0]['UUID'])[0]['Path'], path, 'LUN by uuid')
        equal(client.get_lun_by_args(path='/vol/%s/nothing' % bed.POOL), [], 'LUN that is not')
    with check('get_lun_list'):
        equal([lun['Path'] for lun in client.get_lun_list()], [path], 'LUNs')
    with check('get_lun_sizes_by_volume'):
        equal(client.get_lun_sizes_by_volume(bed.POOL), [{'path': path, 'size': float(GIB)}], 'sizes')
    with check('do_direct_resize'):
        client.do_direct_resize(path, str(2 * GIB))
        equal(client.get_lun_by_args(path=path)[0]['Size'], 2 * GIB, 'size')
    with check('do_direct_resize to less is refused'):
        with refused():
            client.do_direct_resize(path, str(GIB))
    with check('clone_lun'):
        client.clone_lun(bed.POOL, 'one', 'clone', space_reserved='false')
        equal(client.get_lun_by_args(path='/vol/%s/clone' % bed.POOL)[0]['Size'], 2 * GIB, 'size')
    with check('move_lun'):
        client.move_lun('/vol/%s/clone' % bed.POOL, '/vol/%s/moved' % bed.POOL)
        equal(sorted(lun['Path'].rsplit('/', 1)[-1] for lun in client.get_lun_list()), ['moved', 'one'], 'LUNs')
    with check('start_lun_move, get_lun_move_status'):
        to = client.start_lun_move('moved', bed.SECOND_POOL, src_ontap_volume=bed.POOL)
        true(client.get_lun_move_status(to)['job-status'] in ('preparing', 'replicating', 'complete'), 'state')
    with check('start_lun_copy, get_lun_copy_status'):
        to = client.start_lun_copy('one', bed.SECOND_POOL, bed.SVM, src_ontap_volume=bed.POOL, dest_lun_name='copy')
        true(client.get_lun_copy_status(to)['job-status'] in ('preparing', 'replicating', 'complete'), 'state')
    with check('destroy_lun'):
        for each in ('/vol/%s/moved' % bed.SECOND_POOL, '/vol/%s/copy' % bed.SECOND_POOL):
            client.destroy_lun(each)
        equal([lun['Path'] for lun in client.get_lun_list()], [path], 'LUNs')


def _maps(check, client):
    path = '/vol/%s/one' % bed.POOL
    with check('create_igroup, add_igroup_initiator'):
        client.create_igroup('openstack-rest', 'iscsi', 'linux')
        client.add_igroup_initiator('openstack-rest', IQN)
        client.create_igroup('openstack-fc', 'fcp', 'linux')
        client.add_igroup_initiator('openstack-fc', WWPN)
    with check('get_igroup_by_initiators'):
        for name, kind, initiator in (('openstack-rest', 'iscsi', IQN), ('openstack-fc', 'fcp', WWPN)):
            equal(client.get_igroup_by_initiators([initiator]), [{
                'initiator-group-os-type': 'linux', 'initiator-group-type': kind, 'initiator-group-name': name}], 'groups')
        equal(client.get_igroup_by_initiators(['iqn.1994-05.com.redhat:nobody']), [], 'groups of nobody')
    with check('get_igroup_by_name, is_igroup_proximity_configured'):
        group = client.get_igroup_by_name('openstack-rest')
        equal(client.is_igroup_proximity_configured(group['initiator-group-uuid']), False, 'proximity')
    with check('map_lun'):
        equal(client.map_lun(path, 'openstack-rest'), 0, 'number')
        equal(client.map_lun(path, 'openstack-fc', lun_id=7), 7, 'number asked for')
    with check('map_lun again is refused', complains=True):
        with refused():
            client.map_lun(path, 'openstack-rest')
    with check('get_lun_map'):
        equal(sorted((m['initiator-group'], m['lun-id'], m['vserver']) for m in client.get_lun_map(path)),
              [('openstack-fc', 7, bed.SVM), ('openstack-rest', 0, bed.SVM)], 'maps')
    with check('has_luns_mapped_to_initiators'):
        equal(client.has_luns_mapped_to_initiators([IQN]), True, 'of the initiator')
        equal(client.has_luns_mapped_to_initiators(['iqn.1994-05.com.redhat:nobody']), False, 'of nobody')
    with check('get_iscsi_service_details'):
        true(client.get_iscsi_service_details().startswith('iqn.1992-08.com.netapp:sn.'), 'name of the target')
    with check('get_iscsi_target_details'):
        equal(sorted((t['address'], t['interface-enabled'], t['port']) for t in client.get_iscsi_target_details()),
              [('192.0.2.11', True, 3260), ('192.0.2.12', True, 3260)], 'portals')
    with check('get_operational_lif_addresses'):
        equal(len(client.get_operational_lif_addresses()), 4, 'addresses')
    with check('get_if_info_by_ip'):
        equal(client.get_if_info_by_ip('192.0.2.11'), [{'vserver': bed.SVM}], 'SVM of an address')
    with check('get_fc_target_wwpns'):
        equal([len(wwpn) for wwpn in client.get_fc_target_wwpns()], [23, 23], 'lengths of port names')
    with check('check_iscsi_initiator_exists'):
        equal((client.check_iscsi_initiator_exists('default'), client.check_iscsi_initiator_exists(IQN)),
              (True, False), 'credentials')
    with check('unmap_lun', complains=True):
        client.unmap_lun(path, 'openstack-fc')
        client.unmap_lun(path, 'openstack-fc')
        equal([m['initiator-group'] for m in client.get_lun_map(path)], ['openstack-rest'], 'maps')
    with check('destroy_lun that is mapped'):
        client.destroy_lun(path)
        equal(client.get_lun_list(), [], 'LUNs')
    for name in ('openstack-rest', 'openstack-fc'):
        with check('delete group %s' % name):
            uuid = client.get_igroup_by_name(name)['initiator-group-uuid']
            client.send_request('/protocols/san/igroups/' + uuid, 'delete')


def _policies(check, client):
    with check('provision_qos_policy_group, create and modify'):
        client.provision_qos_policy_group({'spec': dict(POLICY)}, True)
        client.provision_qos_policy_group({'spec': dict(POLICY, max_throughput='900iops')}, True)
        equal(len(client._get_qos_policy_group_by_name('cinder_policy')), 1, 'policies')
    with check('create_lun with a policy, set_lun_qos_policy_group'):
        client.create_lun(bed.POOL, 'limited', GIB, META, 'cinder_policy')
        client.provision_qos_policy_group({'spec': {'policy_name': 'cinder_bytes', 'max_throughput': '5000000B/s'}}, True)
        client.set_lun_qos_policy_group('/vol/%s/limited' % bed.POOL, 'cinder_bytes')
        client.destroy_lun('/vol/%s/limited' % bed.POOL)
    with check('mark_qos_policy_group_for_deletion'):
        for name in ('cinder_policy', 'cinder_bytes'):
            client.mark_qos_policy_group_for_deletion({'spec': {'policy_name': name}})
        equal(client._get_qos_policy_group_by_name('*cinder_policy'), [], 'policies')
    with check('remove_unused_qos_policy_groups when there is none'):
        client.remove_unused_qos_policy_groups()


def _snapshots(check, client):
    with check('create_cg_snapshot, get_snapshot'):
        client.create_lun(bed.POOL, 'kept', GIB, META)
        client.create_cg_snapshot([bed.POOL, bed.SECOND_POOL], 'together')
        for pool in (bed.POOL, bed.SECOND_POOL):
            equal(client.get_snapshot(pool, 'together'),
                  {'name': 'together', 'volume': pool, 'busy': False, 'owners': set()}, 'snapshot')
        equal(client.consistency_group_exists(bed.SVM, 'nothing'), False, 'consistency group')
    with check('clone_lun from a snapshot'):
        client.clone_lun(bed.POOL, 'kept', 'old', space_reserved='false', source_snapshot='together')
        client.destroy_lun('/vol/%s/old' % bed.POOL)
    with check('clone_lun from a snapshot by private/cli'):
        client._clone_lun_via_private_cli(bed.POOL, 'kept', 'older', 'together', space_reserved='false')
        equal(client.get_lun_by_args(path='/vol/%s/older' % bed.POOL)[0]['Size'], GIB, 'size')
        client.destroy_lun('/vol/%s/older' % bed.POOL)
    with check('rename_snapshot'):
        client.rename_snapshot(bed.SECOND_POOL, 'together', 'renamed')
        equal(client.get_snapshot(bed.SECOND_POOL, 'renamed')['name'], 'renamed', 'snapshot')
    with check('mark_snapshot_for_deletion, get_snapshots_marked_for_deletion'):
        client.mark_snapshot_for_deletion(bed.POOL, 'together')
        equal([(s['volume_name'], s['name']) for s in client.get_snapshots_marked_for_deletion()],
              [(bed.POOL, 'deleted_cinder_together')], 'marked')
    with check('delete_snapshot'):
        client.delete_snapshot(bed.POOL, 'deleted_cinder_together')
        client.delete_snapshot(bed.SECOND_POOL, 'renamed')
        equal(client.get_snapshots_marked_for_deletion(), [], 'marked')
        client.destroy_lun('/vol/%s/kept' % bed.POOL)


def _counters(check, client):
    for table, counter, label in (('system:constituent', 'avg_processor_busy', None),
                                  ('wafl', 'cp_phase_times', 'p2_flush'), ('processor', 'domain_busy', 'kahuna')):
        with check('counters of table %s' % table):
            node = client.get_node_for_aggregate('cinder_aggr1')
            info = client.get_performance_counter_info(table, counter)
            true(info['base-counter'], 'no base counter')
            if label is not None:
                true(label in [each.lower() for each in info['labels']], 'labels %r' % info['labels'])
            rows = client.get_performance_instance_uuids(table, node)
            true(rows, 'no rows of node ' + node)
            found = client.get_performance_counters(table, rows, [counter, info['base-counter']])
            known = {'instance-name', 'instance-uuid', 'node-name', 'timestamp'}
            values = [each[name] for each in found for name in each if name not in known]
            true(len(values) >= 2 and all(values), 'counters %r' % found)
            equal({each['node-name'] for each in found}, {node}, 'nodes')
