//! The list of all operations.

use serde::{Deserialize, Serialize};

use super::password::Salt;
use super::{Actor, Ctx, Operation, Output, Reference, World};
use super::{affinity, host, host_group, lun_group, mapping, password_policy, port_group, role, user};
use super::{clock, container, controller, drive, enclosure, host_port, job, pool, raid_group, settings, snapshot, volume, workload};
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
                    let plan = operation.check(world, ctx)?;
                    <$kind as Operation>::apply(plan, world, ctx);
                } )+ }
                Ok(())
            }
        }
    };
}

operations! {
    "settings.update" => SettingsUpdate(settings::Update);
    "enclosure.update" => EnclosureUpdate(enclosure::Update);
    "controller.update" => ControllerUpdate(controller::Update);
    "host-port.update" => HostPortUpdate(host_port::Update);
    "drive.update" => DriveUpdate(drive::Update);
    "raid-group.create" => RaidGroupCreate(raid_group::Create);
    "raid-group.update" => RaidGroupUpdate(raid_group::Update);
    "raid-group.delete" => RaidGroupDelete(raid_group::Delete);
    "pool.create" => PoolCreate(pool::Create);
    "pool.update" => PoolUpdate(pool::Update);
    "pool.expand" => PoolExpand(pool::Expand);
    "pool.delete" => PoolDelete(pool::Delete);
    "container.create" => ContainerCreate(container::Create);
    "container.update" => ContainerUpdate(container::Update);
    "container.delete" => ContainerDelete(container::Delete);
    "container.clone" => ContainerClone(container::Clone);
    "container.split" => ContainerSplit(container::Split);
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
}
