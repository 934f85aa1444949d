//! The list of all operations.

use serde::{Deserialize, Serialize};

use super::password::Salt;
use super::{
    Actor, Ctx, Operation, Output, Reference, World, affinity, clock, container, container_migration, controller, copy_session, drive, drive_install,
    enclosure, host, host_group, host_port, host_response, interface, job, lun_group, mapping, note, part, password_policy, pool, pool_balance, port_group,
    qos_policy, raid_group, record, role, service, settings, snapshot, tenant, user, volume, workload,
};
use crate::engine::Execute;
use crate::model::{OpError, Policy, PolicySet};

/// An operation's name and what it demands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperationFacts {
    /// Its tag.
    pub name: &'static str,
    /// What the actor must be allowed to do.
    pub policy: Policy,
}

macro_rules! operations {
    ($($tag:literal => $variant:ident($kind:ty);)+) => {
        /// Any operation, as journals, scenarios and lists of operations carry it: `{"volume.create": {"name": "V1", ...}}`.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[expect(missing_docs, reason = "each variant is the operation that it carries")]
        pub enum AnyOperation {
            $( #[serde(rename = $tag)] $variant($kind), )+
        }

        $( impl From<$kind> for AnyOperation {
            fn from(operation: $kind) -> AnyOperation {
                AnyOperation::$variant(operation)
            }
        } )+

        /// Every operation there is.
        pub const OPERATIONS: &[OperationFacts] = &[$( OperationFacts { name: <$kind as Operation>::NAME, policy: <$kind as Operation>::POLICY } ),+];

        impl AnyOperation {
            /// Its tag.
            pub const fn name(&self) -> &'static str {
                match self { $( AnyOperation::$variant(_) => $tag, )+ }
            }
            /// What the actor must be allowed to do.
            pub const fn policy(&self) -> Policy {
                match self { $( AnyOperation::$variant(_) => <$kind as Operation>::POLICY, )+ }
            }
            /// The same, its secrets hidden: how it is shown.
            #[must_use]
            pub fn masked(&self) -> AnyOperation {
                match self { $( AnyOperation::$variant(operation) => AnyOperation::$variant(operation.masked()), )+ }
            }
            /// What the actor must be allowed to do for this very request.
            pub fn demands(&self, world: &World, actor: &Actor) -> PolicySet {
                match self { $( AnyOperation::$variant(operation) => operation.demands(world, actor), )+ }
            }
            /// Whether it carries a password as somebody typed it.
            pub fn carries_plain_text(&self) -> bool {
                match self { $( AnyOperation::$variant(operation) => operation.carries_plain_text(), )+ }
            }
            /// The salt for the password that it carries.
            pub fn salt(&self, world: &World) -> Salt {
                match self { $( AnyOperation::$variant(operation) => operation.salt(world), )+ }
            }
            /// The same with its password sealed.
            #[must_use]
            pub fn sealed(self, salt: &Salt) -> AnyOperation {
                match self { $( AnyOperation::$variant(operation) => AnyOperation::$variant(operation.sealed(salt)), )+ }
            }
            /// Checks and applies it; answers with what it made or changed.
            pub fn run(&self, world: &mut World, ctx: &Ctx) -> Result<Vec<Reference>, OpError> {
                match self { $( AnyOperation::$variant(operation) => super::execute(operation, world, ctx).map(|output| output.references(world)), )+ }
            }
        }

        impl Execute for AnyOperation {
            /// What follows from it is left to the engine, which is on its way through the agenda.
            fn execute(&self, world: &mut World, ctx: &Ctx) -> Result<(), OpError> {
                match self { $( AnyOperation::$variant(operation) => {
                    let plan = super::plan(operation, world, ctx)?;
                    super::act::<$kind>(plan, world, ctx);
                } )+ }
                Ok(())
            }
        }
    };
}

operations! {
    "settings.update" => SettingsUpdate(settings::Update);
    "network.update" => NetworkUpdate(settings::network::Update);
    "notification.update" => NotificationUpdate(settings::notification::Update);
    "licence.register" => LicenceRegister(settings::licence::Register);
    "licence.remove" => LicenceRemove(settings::licence::Remove);
    "firmware.update" => FirmwareUpdate(settings::firmware::Update);
    "certificate.update" => CertificateUpdate(settings::certificate::Update);
    "encryption.update" => EncryptionUpdate(settings::encryption::Update);
    "thin-provisioning.update" => ThinProvisioningUpdate(settings::thin_provisioning::Update);
    "enclosure.update" => EnclosureUpdate(enclosure::Update);
    "enclosure.add" => EnclosureAdd(enclosure::Add);
    "enclosure.remove" => EnclosureRemove(enclosure::Remove);
    "controller.update" => ControllerUpdate(controller::Update);
    "controller.giveback" => ControllerGiveback(controller::GiveBack);
    "controller.fail" => ControllerFail(controller::Fail);
    "controller.restore" => ControllerRestore(controller::Restore);
    "host-port.update" => HostPortUpdate(host_port::Update);
    "host-port.fail" => HostPortFail(host_port::Fail);
    "host-port.restore" => HostPortRestore(host_port::Restore);
    "part.fail" => PartFail(part::Fail);
    "part.restore" => PartRestore(part::Restore);
    "part.set-temperature" => PartSetTemperature(part::SetTemperature);
    "drive.install" => DriveInstall(drive_install::Install);
    "drive.update" => DriveUpdate(drive::Update);
    "drive.fail" => DriveFail(drive::fault::Fail);
    "drive.predict-failure" => DrivePredictFailure(drive::fault::PredictFailure);
    "drive.pull" => DrivePull(drive::fault::Pull);
    "drive.insert" => DriveInsert(drive::fault::Insert);
    "drive.replace" => DriveReplace(drive::maintenance::Replace);
    "drive.redundant-copy" => DriveRedundantCopy(drive::maintenance::RedundantCopy);
    "raid-group.create" => RaidGroupCreate(raid_group::Create);
    "raid-group.update" => RaidGroupUpdate(raid_group::Update);
    "raid-group.expand" => RaidGroupExpand(raid_group::expand::Expand);
    "raid-group.delete" => RaidGroupDelete(raid_group::Delete);
    "pool.create" => PoolCreate(pool::Create);
    "pool.update" => PoolUpdate(pool::Update);
    "pool.expand" => PoolExpand(pool::Expand);
    "pool.delete" => PoolDelete(pool::Delete);
    "pool.balance" => PoolBalance(pool_balance::Balance);
    "pool.stop-balancing" => PoolStopBalancing(pool_balance::StopBalancing);
    "container.create" => ContainerCreate(container::Create);
    "container.update" => ContainerUpdate(container::Update);
    "container.delete" => ContainerDelete(container::Delete);
    "container.clone" => ContainerClone(container::Clone);
    "container.split" => ContainerSplit(container::Split);
    "container.migrate" => ContainerMigrate(container_migration::Migrate);
    "container.pause-migration" => ContainerPauseMigration(container_migration::PauseMigration);
    "container.resume-migration" => ContainerResumeMigration(container_migration::ResumeMigration);
    "container.stop-migration" => ContainerStopMigration(container_migration::StopMigration);
    "snapshot.create" => SnapshotCreate(snapshot::Create);
    "snapshot.update" => SnapshotUpdate(snapshot::Update);
    "snapshot.delete" => SnapshotDelete(snapshot::Delete);
    "snapshot.restore" => SnapshotRestore(snapshot::Restore);
    "volume.create" => VolumeCreate(volume::Create);
    "volume.update" => VolumeUpdate(volume::Update);
    "volume.delete" => VolumeDelete(volume::Delete);
    "volume.expand" => VolumeExpand(volume::Expand);
    "volume.format" => VolumeFormat(volume::Format);
    "volume.migrate" => VolumeMigrate(volume::Migrate);
    "volume.stop-migration" => VolumeStopMigration(volume::StopMigration);
    "volume.write" => VolumeWrite(volume::Write);
    "volume.unmap" => VolumeUnmap(volume::Unmap);
    "volume.clone" => VolumeClone(volume::Clone);
    "volume.snapshot" => VolumeSnapshot(volume::Snapshot);
    "volume.rotate-snapshots" => VolumeRotateSnapshots(volume::RotateSnapshots);
    "volume.resync" => VolumeResync(volume::Resync);
    "volume.initialize" => VolumeInitialize(volume::Initialize);
    "copy-session.create" => CopySessionCreate(copy_session::Create);
    "copy-session.update" => CopySessionUpdate(copy_session::Update);
    "copy-session.suspend" => CopySessionSuspend(copy_session::Suspend);
    "copy-session.resume" => CopySessionResume(copy_session::Resume);
    "copy-session.restart" => CopySessionRestart(copy_session::Restart);
    "copy-session.restore" => CopySessionRestore(copy_session::Restore);
    "copy-session.reverse" => CopySessionReverse(copy_session::Reverse);
    "copy-session.delete" => CopySessionDelete(copy_session::Delete);
    "host.create" => HostCreate(host::Create);
    "host.update" => HostUpdate(host::Update);
    "host.delete" => HostDelete(host::Delete);
    "host-group.create" => HostGroupCreate(host_group::Create);
    "host-group.update" => HostGroupUpdate(host_group::Update);
    "host-group.delete" => HostGroupDelete(host_group::Delete);
    "port-group.create" => PortGroupCreate(port_group::Create);
    "port-group.update" => PortGroupUpdate(port_group::Update);
    "port-group.delete" => PortGroupDelete(port_group::Delete);
    "lun-group.create" => LunGroupCreate(lun_group::Create);
    "lun-group.update" => LunGroupUpdate(lun_group::Update);
    "lun-group.delete" => LunGroupDelete(lun_group::Delete);
    "affinity.create" => AffinityCreate(affinity::Create);
    "affinity.update" => AffinityUpdate(affinity::Update);
    "affinity.delete" => AffinityDelete(affinity::Delete);
    "mapping.create" => MappingCreate(mapping::Create);
    "mapping.update" => MappingUpdate(mapping::Update);
    "mapping.delete" => MappingDelete(mapping::Delete);
    "tenant.create" => TenantCreate(tenant::Create);
    "tenant.update" => TenantUpdate(tenant::Update);
    "tenant.delete" => TenantDelete(tenant::Delete);
    "interface.create" => InterfaceCreate(interface::Create);
    "interface.update" => InterfaceUpdate(interface::Update);
    "interface.migrate" => InterfaceMigrate(interface::Migrate);
    "interface.revert" => InterfaceRevert(interface::Revert);
    "interface.delete" => InterfaceDelete(interface::Delete);
    "qos-policy.create" => QosPolicyCreate(qos_policy::Create);
    "qos-policy.update" => QosPolicyUpdate(qos_policy::Update);
    "qos-policy.delete" => QosPolicyDelete(qos_policy::Delete);
    "host-response.create" => HostResponseCreate(host_response::Create);
    "host-response.update" => HostResponseUpdate(host_response::Update);
    "host-response.delete" => HostResponseDelete(host_response::Delete);
    "user.create" => UserCreate(user::Create);
    "user.update" => UserUpdate(user::Update);
    "user.lock" => UserLock(user::LockOut);
    "user.delete" => UserDelete(user::Delete);
    "role.create" => RoleCreate(role::Create);
    "role.update" => RoleUpdate(role::Update);
    "role.delete" => RoleDelete(role::Delete);
    "password-policy.update" => PasswordPolicyUpdate(password_policy::Update);
    "workload.create" => WorkloadCreate(workload::Create);
    "workload.update" => WorkloadUpdate(workload::Update);
    "workload.delete" => WorkloadDelete(workload::Delete);
    "job.submit" => JobSubmit(job::Submit);
    "job.cancel" => JobCancel(job::Cancel);
    "job.delete" => JobDelete(job::Delete);
    "clock.set" => ClockSet(clock::Set);
    "clock.advance" => ClockAdvance(clock::Advance);
    "note.set" => NoteSet(note::Set);
    "record.create" => RecordCreate(record::Create);
    "record.update" => RecordUpdate(record::Update);
    "record.delete" => RecordDelete(record::Delete);
    "job.note" => JobNote(job::Note);
    "service.create" => ServiceCreate(service::Create);
    "service.update" => ServiceUpdate(service::Update);
    "service.delete" => ServiceDelete(service::Delete);
    "volume.move" => VolumeMove(volume::Move);
}
