"""What the driver does beyond the plain life of a volume: QoS, volumes managed and migrated, groups."""
import bed
import service
from report import equal, true

GIB = bed.GIB
GROUP_SPECS = {'consistent_group_snapshot_enabled': '<is> True'}


class Further:
    def policy(self, name):
        found = self.api.records('/storage/qos/policies', name=name, fields='*')
        equal(len(found), 1, 'QoS policies named ' + name)
        return found[0]

    def quality(self):
        fixed = service.volume_type({}, {'maxIOPSperGiB': '3000', 'minIOPSperGiB': '1000'})
        volume = service.volume(self.backend, 1, type_id=fixed)
        name = 'openstack-' + volume.id
        with self.check('create_volume with a fixed QoS policy'):
            self.driver.create_volume(volume)
            found = self.policy(name)
            equal((found['fixed']['max_throughput_iops'], found['fixed']['min_throughput_iops']), (3000, 1000), 'limits')
            equal(self.lun(volume.name, fields='qos_policy')['qos_policy']['name'], name, "the LUN's policy")
        with self.check('extend_volume raises the limit of its policy'):
            self.driver.extend_volume(volume, 2)
            equal(self.policy(name)['fixed']['max_throughput_iops'], 6000, 'limit')
        with self.check('delete_volume takes its policy along'):
            self.driver.delete_volume(volume)
            self.gone(volume.name)
            equal(self.api.records('/storage/qos/policies', name='*' + volume.id), [], 'policies')
        adaptive = service.volume_type({}, {
            'expectedIOPSperGiB': '128', 'peakIOPSperGiB': '512', 'expectedIOPSAllocation': 'used-space',
            'peakIOPSAllocation': 'used-space', 'absoluteMinIOPS': '75', 'blockSize': 'ANY'})
        volume = service.volume(self.backend, 1, type_id=adaptive)
        name = 'openstack-' + volume.id
        with self.check('create_volume with an adaptive QoS policy'):
            self.driver.create_volume(volume)
            found = self.policy(name)['adaptive']
            equal((found['expected_iops'], found['peak_iops'], found['absolute_min_iops']), (128, 512, 75), 'limits')
            self.driver.delete_volume(volume)
        with self.check('create_volume with a policy of the administrator'):
            self.api.call('POST', '/storage/qos/policies', {
                'name': 'cinder_gold', 'svm': {'name': bed.SVM}, 'fixed': {'max_throughput_iops': 2000}},
                return_timeout=30)
            volume = service.volume(self.backend, 1, type_id=service.volume_type(
                {'netapp:qos_policy_group': 'cinder_gold', 'netapp:space_allocation': '<is> False'}))
            self.driver.create_volume(volume)
            found = self.lun(volume.name, fields='qos_policy,space.scsi_thin_provisioning_support_enabled')
            equal(found['qos_policy']['name'], 'cinder_gold', "the LUN's policy")
            equal(found['space']['scsi_thin_provisioning_support_enabled'], False, 'space allocation')
            self.driver.delete_volume(volume)
            self.api.call('DELETE', '/storage/qos/policies/' + self.policy('cinder_gold')['uuid'], return_timeout=30)

    def manage(self):
        path = '/vol/%s/foreign' % bed.POOL
        by_path, by_id = service.volume(self.backend, 1), service.volume(self.backend, 1)
        with self.check('manage_existing by path, and unmanage'):
            self.api.call('POST', '/storage/luns', {
                'name': path, 'svm': {'name': bed.SVM}, 'os_type': 'linux', 'space': {'size': GIB}})
            equal(self.driver.manage_existing_get_size(by_path, {'source-name': path}), 1, 'size')
            self.driver.manage_existing(by_path, {'source-name': path})
            self.driver.unmanage(by_path)
        with self.check('manage_existing by uuid'):
            self.driver.manage_existing(by_id, {'source-id': self.lun(by_path.name)['uuid']})
            self.lun(by_id.name)
            self.gone(by_path.name)
        with self.check('migrate_volume to another pool of the back end'):
            host = 'here@%s#%s' % (self.backend, bed.SECOND_POOL)
            uuid = self.lun(by_id.name)['uuid']
            moved, updates = self.driver.migrate_volume(
                service.admin(), by_id, {'host': host, 'capabilities': {}})
            equal((moved, updates), (True, {}), 'answer')
            equal(self.lun(by_id.name, bed.SECOND_POOL)['uuid'], uuid, 'uuid after the move')
        with self.check('delete_volume of a migrated volume'):
            self.driver.delete_volume(by_id)
            self.gone(by_id.name)

    def groups(self):
        members = [service.volume(self.backend, 1, pool) for pool in (bed.POOL, bed.SECOND_POOL)]
        with self.check('volumes of a group in two pools'):
            for member in members:
                self.driver.create_volume(member)
        for kind, specs in (('consistent', GROUP_SPECS), ('plain', {})):
            snapshots = [service.snapshot(member) for member in members]
            whole = service.group_snapshot(service.volume_type(specs))
            with self.check('create_group_snapshot, %s' % kind):
                self.driver.create_group_snapshot(service.admin(), whole, snapshots)
                for pool, snapshot in zip((bed.POOL, bed.SECOND_POOL), snapshots):
                    self.lun(snapshot.name, pool)
                    volume = self.api.records('/storage/volumes', name=pool, **{'svm.name': bed.SVM})[0]
                    left = self.api.records('/storage/volumes/%s/snapshots' % volume['uuid'])
                    true(whole.id not in [each['name'] for each in left], 'the snapshot of %s stays' % pool)
                equal(self.api.records('/application/consistency-groups'), [], 'consistency groups left')
            copies = [service.volume(self.backend, 1, pool) for pool in (bed.POOL, bed.SECOND_POOL)]
            with self.check('create_group_from_src of a %s group snapshot' % kind):
                self.driver.create_group_from_src(
                    service.admin(), None, copies, group_snapshot=whole, snapshots=snapshots)
                for pool, copy in zip((bed.POOL, bed.SECOND_POOL), copies):
                    self.lun(copy.name, pool)
            with self.check('delete_group_snapshot, %s' % kind):
                self.driver.delete_group_snapshot(service.admin(), whole, snapshots)
                for snapshot in snapshots:
                    self.gone(snapshot.name)
                for copy in copies:
                    self.driver.delete_volume(copy)
        with self.check('delete_group'):
            self.driver.delete_group(service.admin(), None, members)
            for member in members:
                self.gone(member.name)
