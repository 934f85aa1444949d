"""The whole driver in unified mode, call after call as the volume manager makes them, over iSCSI and over FC."""
import time

import bed
import driver_further
import service
from report import equal, true

IQN = 'iqn.1994-05.com.redhat:cinder-host'
WWPNS = ['21000024ff406cc2', '21000024ff406cc3']
GIB = bed.GIB


def run(report, api):
    for backend in ('iscsi', 'fc', 'no_zapi'):
        _Run(report, api, backend).all()


class _Run(driver_further.Further):
    def __init__(self, report, api, backend):
        self.report, self.api, self.backend = report, api, backend
        self.fc = backend == 'fc'
        self.driver = None

    def check(self, name, **options):
        return self.report.check('driver %s: %s' % (self.backend, name), **options)

    def lun(self, name, pool=bed.POOL, fields='*'):
        found = self.api.records('/storage/luns', name='/vol/%s/%s' % (pool, name), fields=fields)
        equal(len(found), 1, 'LUNs named ' + name)
        return found[0]

    def gone(self, name):
        equal(self.api.records('/storage/luns', name='/vol/*/' + name), [], 'LUN ' + name)

    def all(self):
        with self.check('do_setup'):
            self.driver = service.driver(self.backend)
            self.driver.do_setup(service.admin())
        if self.driver is None or getattr(self.driver.library, 'perf_library', None) is None:
            return
        with self.check('check_for_setup_error'):
            self.driver.check_for_setup_error()
            self.driver.set_initialized()
        with self.check('init_capabilities'):
            self.driver.init_capabilities()
        self.pools()
        volume = service.volume(self.backend, 2)
        with self.check('create_volume'):
            self.driver.create_volume(volume)
            volume.provider_location = self.driver.create_export(
                service.admin(), volume, None)['provider_location']
            found = self.lun(volume.name)
            equal(found['space']['size'], 2 * GIB, 'size')
            equal(found['os_type'], 'linux', 'os_type')
            equal(found['space']['guarantee']['requested'], self.backend != 'no_zapi', 'space reservation asked for')
            equal(self.driver.get_pool(volume), bed.POOL, 'pool')
        with self.check('create_volume of a name that is taken is refused', complains=True):
            self.refused(lambda: self.driver.create_volume(volume))
        with self.check('extend_volume'):
            self.driver.extend_volume(volume, 3)
            volume.size = 3
            equal(self.lun(volume.name)['space']['size'], 3 * GIB, 'size')
        self.connection(volume)
        self.copies(volume)
        self.quality()
        self.manage()
        self.groups()
        with self.check('provisioned capacity of a pool counts its volumes'):
            pool = {p['pool_name']: p for p in self.stats()['pools']}[bed.POOL]
            equal(pool['total_volumes'], 1, 'volumes')
            equal(pool['provisioned_capacity_gb'], 4.0, 'provisioned')
        with self.check('delete_volume'):
            self.driver.delete_volume(volume)
            self.gone(volume.name)
        with self.check('delete_volume of a volume that is gone is no error', complains=True):
            self.driver.delete_volume(volume)
        with self.check('tasks that the driver repeats'):
            self.driver.library._handle_housekeeping_tasks()
            self.driver.library._delete_snapshots_marked_for_deletion()
            self.driver.library._handle_ems_logging()
            self.driver.library._update_ssc()

    def refused(self, call):
        try:
            call()
        except Exception:  # which one is Cinder's matter
            return
        raise AssertionError('it was not refused')

    def stats(self):
        self.driver.library.last_perf_update = 0  # else counters are read every five minutes,
        self.driver.library.last_dedupe_update = 0  # and this every ten
        time.sleep(2)  # two samples at one instant have no rate
        return self.driver.get_volume_stats(refresh=True)

    def pools(self):
        with self.check('get_volume_stats'):
            stats = self.stats()
            equal(stats['storage_protocol'], 'FC' if self.fc else 'iSCSI', 'protocol')
            pools = {pool['pool_name']: pool for pool in stats['pools']}
            equal(sorted(pools), [bed.POOL, bed.SECOND_POOL], 'pools')
            pool, second = pools[bed.POOL], pools[bed.SECOND_POOL]
            equal(pool['total_capacity_gb'], 200.0, 'total_capacity_gb')
            true(0 < pool['free_capacity_gb'] <= 200.0, 'free_capacity_gb %r' % pool['free_capacity_gb'])
            equal(pool['netapp_raid_type'], 'raid_dp', 'netapp_raid_type')
            equal(pool['netapp_hybrid_aggregate'], 'false', 'netapp_hybrid_aggregate')
            true(pool['netapp_disk_type'], 'netapp_disk_type is empty')
            equal(pool['netapp_thin_provisioned'], 'true', 'thin pool')
            equal(second['netapp_thin_provisioned'], 'false', 'thick pool')
            equal(pool['netapp_mirrored'], 'false', 'netapp_mirrored')
            equal(pool['netapp_flexvol_encryption'], 'false', 'netapp_flexvol_encryption')
            equal(pool['netapp_qos_min_support'], 'true', 'netapp_qos_min_support')
            true(pool['netapp_dedup'] in ('true', 'false'), 'netapp_dedup')
            true(pool['QoS_support'], 'QoS_support: the account is not seen as one of the cluster')
            true(0 <= pool['netapp_aggregate_used_percent'] <= 100, 'netapp_aggregate_used_percent')
            true(0 <= pool['utilization'] <= 100, 'utilization')
        with self.check('utilization of the nodes from two samples of counters'):
            library = self.driver.library.perf_library
            true(library.performance_counters, 'no node was sampled')
            for node, samples in library.performance_counters.items():
                names = {name for sample in samples for counter in sample for name in counter}
                for name in ('avg_processor_busy', 'total_cp_msecs', 'cp_phase_times:p2_flush',
                             'domain_busy:kahuna', 'processor_elapsed_time'):
                    true(name in names, '%s: no counter %s' % (node, name))

    def connector(self):
        return {'initiator': IQN, 'wwpns': WWPNS, 'wwnns': ['20000024ff406cc2'], 'host': 'compute', 'multipath': True,
                'ip': '192.0.2.200'}

    def connection(self, volume):
        with self.check('initialize_connection'):
            answer = self.driver.initialize_connection(volume, self.connector())
            data = answer['data']
            true(isinstance(data['target_lun'], int), 'target_lun is no integer')
            if self.fc:
                equal(answer['driver_volume_type'], 'fibre_channel', 'kind')
                equal(len(data['target_wwn']), 2, 'target ports')
                equal(sorted(data['initiator_target_map']), sorted(WWPNS), 'initiators')
            else:
                equal(answer['driver_volume_type'], 'iscsi', 'kind')
                true(data['target_iqn'].startswith('iqn.1992-08.com.netapp:sn.'), 'target_iqn ' + data['target_iqn'])
                equal(sorted(data['target_portals']), ['192.0.2.11:3260', '192.0.2.12:3260'], 'portals')
            groups = self.api.records('/protocols/san/igroups', fields='*,lun_maps', name='openstack-*')
            equal(len(groups), 1, 'initiator groups')
            equal(groups[0]['protocol'], 'fcp' if self.fc else 'iscsi', 'protocol of the group')
            equal(len(groups[0]['initiators']), 2 if self.fc else 1, 'initiators of the group')
            true(self.lun(volume.name)['status']['mapped'], 'the LUN is not mapped')
        with self.check('initialize_connection again answers the same LUN number', complains=True):
            again = self.driver.initialize_connection(volume, self.connector())
            equal(again['data']['target_lun'], data['target_lun'], 'target_lun')
        with self.check('extend_volume of an attached volume'):
            self.driver.extend_volume(volume, 4)
            equal(self.lun(volume.name)['space']['size'], 4 * GIB, 'size')
        with self.check('terminate_connection'):
            answer = self.driver.terminate_connection(volume, self.connector())
            equal(self.lun(volume.name)['status']['mapped'], False, 'mapped')
            if self.fc:  # the last volume of the host: the zones may go
                equal(len(answer['data']['target_wwn']), 2, 'target ports to unzone')
        with self.check('terminate_connection again is no error', complains=True):
            self.driver.terminate_connection(volume, self.connector())
        with self.check('terminate_connection of all hosts'):
            self.driver.initialize_connection(volume, self.connector())
            self.driver.terminate_connection(volume, None)
            equal(self.lun(volume.name)['status']['mapped'], False, 'mapped')
        with self.check('the group that the driver made can be deleted'):
            for group in self.api.records('/protocols/san/igroups', name='openstack-*'):
                self.api.call('DELETE', '/protocols/san/igroups/' + group['uuid'])

    def copies(self, volume):
        volume.size = 4
        snapshot = service.snapshot(volume)
        copy, larger, clone = (service.volume(self.backend, size) for size in (4, 5, 4))
        with self.check('create_snapshot'):
            self.driver.create_snapshot(snapshot)
            equal(self.lun(snapshot.name)['space']['size'], 4 * GIB, 'size')
        with self.check('create_volume_from_snapshot'):
            self.driver.create_volume_from_snapshot(copy, snapshot)
            equal(self.lun(copy.name)['space']['size'], 4 * GIB, 'size')
        with self.check('create_volume_from_snapshot, larger'):
            self.driver.create_volume_from_snapshot(larger, snapshot)
            equal(self.lun(larger.name)['space']['size'], 5 * GIB, 'size')
        with self.check('create_cloned_volume'):
            self.driver.create_cloned_volume(clone, volume)
            found = self.lun(clone.name)
            equal((found['space']['size'], found['os_type']), (4 * GIB, 'linux'), 'size and os_type')
            true(found['serial_number'] != self.lun(volume.name)['serial_number'], 'the clone has the same serial number')
        with self.check('revert_to_snapshot'):
            self.driver.revert_to_snapshot(service.admin(), volume, snapshot)
            self.lun(volume.name)
            self.gone('tmp-' + volume.name)
            self.gone('new-' + snapshot.name)
        with self.check('delete_snapshot'):
            self.driver.delete_snapshot(snapshot)
            self.gone(snapshot.name)
        with self.check('delete_volume of copies'):
            for each in (copy, larger, clone):
                self.driver.delete_volume(each)
                self.gone(each.name)
        volume.size = 4
        with self.check('extend_volume to the size it has does nothing'):
            self.driver.extend_volume(volume, 4)
        with self.check('extend_volume to less is refused', complains=True):
            self.refused(lambda: self.driver.extend_volume(volume, 3))
            equal(self.lun(volume.name)['space']['size'], 4 * GIB, 'size')
