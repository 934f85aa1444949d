"""What the driver needs of the Cinder service, in this process: options, a context, objects, locks. No database, no broker.

Everything is Cinder's own, except the tables of volume types and QoS specs, which stand in dictionaries.
`state_path` is a directory of ours: Cinder's SSH pool makes its `ssh_known_hosts` there by itself,
so nothing under /var/lib/cinder is needed.
"""
import os
import uuid

from cinder import context
from cinder import coordination
from cinder import exception
from cinder import objects

objects.register_all()  # what follows names them at import

from cinder import rpc  # noqa: E402
from cinder.volume import configuration  # noqa: E402
from cinder.volume import group_types  # noqa: E402
from cinder.volume import manager  # noqa: E402
from cinder.volume import qos_specs  # noqa: E402
from cinder.volume import volume_types  # noqa: E402
from oslo_config import cfg  # noqa: E402
from oslo_utils import importutils  # noqa: E402

import bed  # noqa: E402

DRIVER = 'cinder.volume.drivers.netapp.common.NetAppDriver'

_CONF = '''
[DEFAULT]
state_path = {state}
enabled_backends = {names}
transport_url = fake:/
zoning_mode = none
[coordination]
backend_url = file://{state}
[oslo_concurrency]
lock_path = {state}
'''

_BACKEND = '''
[{name}]
volume_driver = {driver}
volume_backend_name = {name}
netapp_storage_family = ontap_cluster
netapp_storage_protocol = {protocol}
netapp_use_legacy_client = false
netapp_server_hostname = {host}
netapp_server_port = {port}
netapp_login = {user}
netapp_password = {password}
netapp_ssl_cert_path = {certificate}
netapp_vserver = {svm}
netapp_pool_name_search_pattern = cinder_.+
netapp_driver_reports_provisioned_capacity = true
max_over_subscription_ratio = 20.0
{more}
'''

_types = {}
_specs = {}


def start(state, target, backends):
    """Reads a cinder.conf with these backends ({name: (protocol, further lines)}), as cinder-volume does when it starts."""
    path = os.path.join(state, 'cinder.conf')
    with open(path, 'w', encoding='utf-8') as file:
        file.write(_CONF.format(state=state, names=','.join(backends)))
        for name, (protocol, more) in backends.items():
            file.write(_BACKEND.format(name=name, protocol=protocol, more=more, driver=DRIVER, svm=bed.SVM, **target))
    os.chmod(path, 0o600)
    cfg.CONF(['--config-file', path], project='cinder')
    rpc.LAST_OBJ_VERSIONS = {}
    coordination.COORDINATOR.start()
    volume_types.get_volume_type = lambda _context, type_id, *_more, **_options: _row(_types, type_id)
    group_types.get_group_type_specs = lambda type_id, key: _row(_types, type_id)['extra_specs'].get(key, False)
    qos_specs.get_qos_specs = lambda _context, spec_id: _row(_specs, spec_id)


def stop():
    coordination.COORDINATOR.stop()


def _row(table, key):
    if key not in table:
        raise exception.NotFound('no row %s' % key)
    return table[key]


def driver(name):
    """The driver of a backend, made as the volume manager makes it."""
    return importutils.import_object(
        DRIVER, configuration=configuration.Configuration(manager.volume_backend_opts, config_group=name),
        host='here@' + name, cluster_name=None, is_vol_db_empty=True, active_backend_id=None)


def admin():
    return context.get_admin_context()


def volume(backend, size, pool=bed.POOL, type_id=None):
    name = str(uuid.uuid4())
    return objects.Volume(
        admin(), id=name, _name_id=None, size=size, host='here@%s#%s' % (backend, pool), volume_type_id=type_id,
        status='available', attach_status='detached', multiattach=False, provider_auth=None, provider_location=None,
        volume_attachment=objects.VolumeAttachmentList(admin(), objects=[]))


def snapshot(of):
    return objects.Snapshot(
        admin(), id=str(uuid.uuid4()), volume_id=of.id, volume=of, volume_size=of.size)


def group_snapshot(group_type_id):
    return objects.GroupSnapshot(admin(), id=str(uuid.uuid4()), group_type_id=group_type_id)


def volume_type(extra_specs, specs=None):
    """A volume type with these extra specs and these QoS specs of the back end; answers its id."""
    type_id, spec_id = str(uuid.uuid4()), str(uuid.uuid4())
    if specs is not None:
        _specs[spec_id] = {'id': spec_id, 'name': spec_id, 'consumer': 'back-end', 'specs': specs}
    _types[type_id] = {'id': type_id, 'name': type_id, 'extra_specs': extra_specs,
                       'qos_specs_id': spec_id if specs is not None else None}
    return type_id
