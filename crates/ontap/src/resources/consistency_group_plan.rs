//! What bodies of consistency groups ask for: volumes that join or leave, and what is made for the group.

use serde_json::json;

use crate::body::{Body, Named};
use crate::collection::{View, resolve};
use crate::kept;
use crate::model::{Container, Guarantee, Object, Pool, Tenant, VolumeFormat};
use crate::ops::{self, AnyOperation};
use crate::refusal::{Outcome, Refusal};
use crate::resources::consistency_group::group_of;
use crate::resources::lun_change::{in_subsystem, maps};
use crate::resources::lun_path::{Path, leaf_is_good, names_of};
use crate::resources::svm_change;
use crate::units::Bytes;

/// What a body asks for: the volumes that the group has then, and what is made for them.
pub(super) struct Plan {
    pub(super) members: Vec<String>,
    /// Names and identifiers of new volumes.
    made: Vec<(String, String)>,
    pub(super) operations: Vec<AnyOperation>,
}

impl Plan {
    pub(super) fn read(view: &View<'_>, svm: &Tenant, body: &Body, present: &[String]) -> Outcome<Plan> {
        is_offered(body)?;
        let mut plan = Plan { members: present.to_vec(), made: Vec::new(), operations: Vec::new() };
        for volume in body.bodies("volumes").unwrap_or_default() {
            plan.volume(view, svm, &volume)?;
        }
        for (field, format) in [("luns", VolumeFormat::Lun), ("namespaces", VolumeFormat::Namespace)] {
            for unit in body.bodies(field).unwrap_or_default() {
                plan.units(view, svm, &unit, (field, format))?;
            }
        }
        Ok(plan)
    }
    fn volume(&mut self, view: &View<'_>, svm: &Tenant, body: &Body) -> Outcome<()> {
        let named = Named { uuid: body.text("uuid").map(str::to_owned), name: body.text("name").map(str::to_owned) };
        let found = resolve(&view.array.containers, &named, |container| container.tenant == Some(svm.key()));
        let unknown = || Refusal::bad(53_411_861, format!("The volume \"{}\" does not exist in the SVM.", named.shown())).at("volumes");
        match (body.text("provisioning_options.action"), found) {
            (Some("add"), found) => self.add(view, found.ok_or_else(unknown)?)?,
            (Some("remove"), found) => {
                let id = found.ok_or_else(unknown)?.id().to_string();
                self.members.retain(|member| *member != id);
            }
            (Some("reassign"), _) => return Err(Refusal::bad(3, "Volumes cannot be reassigned.").at("volumes.provisioning_options.action")),
            (_, Some(container)) if self.members.contains(&container.id().to_string()) => {}
            (_, None) => self.new_volumes(view, svm, body)?,
            (_, Some(container)) => {
                let message = format!("The volume \"{}\" exists already: use \"provisioning_options.action\" \"add\".", container.name());
                return Err(Refusal::conflict(53_411_862, message).at("volumes"));
            }
        }
        Ok(())
    }
    fn add(&mut self, view: &View<'_>, container: &Container) -> Outcome<()> {
        let id = container.id().to_string();
        if self.members.contains(&id) {
            return Ok(());
        }
        if let Some(other) = group_of(view.array, container) {
            let message = format!("The volume \"{}\" is in the consistency group \"{}\" already.", container.name(), other.name());
            return Err(Refusal::conflict(53_411_862, message).at("volumes"));
        }
        self.members.push(id);
        Ok(())
    }
    /// New volumes of one description, as many as it counts.
    fn new_volumes(&mut self, view: &View<'_>, svm: &Tenant, body: &Body) -> Outcome<()> {
        let size = body.number("space.size").ok_or_else(|| Refusal::required("volumes.space.size"))?;
        names(body.required("name").map_err(|refusal| refusal.at("volumes.name"))?, body)?
            .into_iter()
            .try_for_each(|name| self.new_volume(view, svm, name, size))
    }
    /// A new volume, in the aggregate of the SVM with the most space. Its identifier is known beforehand.
    fn new_volume(&mut self, view: &View<'_>, svm: &Tenant, name: String, size: u64) -> Outcome<()> {
        svm_change::has_room(view, svm, self.made.len() + 1)?;
        let array = view.array;
        let pools = array.pools.iter().filter(|pool| svm.may_use(array, pool.key()));
        let pool: &Pool = pools.max_by_key(|pool| pool.free()).ok_or_else(|| Refusal::bad(917_508, "The SVM has no aggregate.").at("volumes"))?;
        let key = array.containers.next_key().raw() + u32::try_from(self.made.len()).unwrap_or(0);
        let id = array.identity.uuid(crate::model::Noun::Container, key).to_string();
        let create = ops::container::Create {
            name: name.clone(),
            pool: pool.id().to_string(),
            size: Bytes::new(size),
            guarantee: Some(Guarantee::Thin),
            tenant: Some(svm.id().to_string()),
            ..ops::container::Create::default()
        };
        self.operations.push(create.into());
        self.members.push(id.clone());
        self.made.push((name, id));
        Ok(())
    }
    /// New LUNs or namespaces of one description, in a volume of the group that is there or is made with it, and their maps.
    fn units(&mut self, view: &View<'_>, svm: &Tenant, body: &Body, (field, format): (&str, VolumeFormat)) -> Outcome<()> {
        let size = body.number("space.size").ok_or_else(|| Refusal::required(&format!("{field}.space.size")))?;
        let all = names(body.required("name").map_err(|refusal| refusal.at(&format!("{field}.name")))?, body)?;
        let total = size.saturating_mul(all.len() as u64);
        for name in all {
            let path =
                Path::read(&name).ok_or_else(|| Refusal::bad(5_374_127, format!("\"{name}\" is no path of the form /vol/<volume>/<name>.")).at(field))?;
            leaf_is_good(names_of(&path.name).1, &format!("{field}.name"))?;
            let container = self.container(view, svm, &path.volume, (field, total))?;
            let create = ops::volume::Create {
                name: path.name.clone(),
                size: Bytes::new(size),
                container: Some(container.clone()),
                format: Some(format),
                ..ops::volume::Create::default()
            };
            self.operations.push(create.into());
            self.operations.extend(kept::keep("volume", "", kept::said(body, &["comment", "os_type"])));
            let reference = format!("{container}/{}", path.name);
            self.operations.extend(maps(view, svm, body, &reference).map_err(|refusal| inside(field, refusal))?);
            self.operations.extend(in_subsystem(view, svm, body, reference).map_err(|refusal| inside(field, refusal))?);
        }
        Ok(())
    }
    /// The volume in which something new shall be. One of which the SVM has none is made, large enough for what comes into it.
    fn container(&mut self, view: &View<'_>, svm: &Tenant, name: &str, (field, total): (&str, u64)) -> Outcome<String> {
        if let Some((_, id)) = self.made.iter().find(|(made, _)| made == name) {
            return Ok(id.clone());
        }
        match view.array.containers.all_named(name).find(|container| container.tenant == Some(svm.key())).map(|container| container.id().to_string()) {
            Some(id) if self.members.contains(&id) => Ok(id),
            Some(_) => Err(Refusal::bad(53_411_861, format!("The volume \"{name}\" is not in the consistency group.")).at(field)),
            None => {
                self.new_volume(view, svm, name.to_owned(), (total + total / ROOM_BESIDE).max(SMALLEST))?;
                Ok(self.made.last().map(|(_, id)| id.clone()).unwrap_or_default())
            }
        }
    }
}

/// The part of its LUNs that a volume has besides them, when it is made for them.
const ROOM_BESIDE: u64 = 10;
/// The least bytes of a volume.
const SMALLEST: u64 = 20 << 20;
/// The most objects of one description.
const COUNT_MOST: u64 = 80;

/// The names of all that one description counts: the name itself, or the name with numbers behind it.
fn names(name: &str, body: &Body) -> Outcome<Vec<String>> {
    match body.number("provisioning_options.count") {
        None | Some(1) => Ok(vec![name.to_owned()]),
        Some(count) if (2..=COUNT_MOST).contains(&count) => Ok((1..=count).map(|number| format!("{name}_{number}")).collect()),
        Some(count) => Err(Refusal::bad_value("provisioning_options.count", &json!(count), &format!("a number from 1 to {COUNT_MOST}"))),
    }
}

fn inside(list: &str, refusal: Refusal) -> Refusal {
    let target = refusal.target.as_deref().map_or_else(|| list.to_owned(), |field| format!("{list}.{field}"));
    refusal.at(&target)
}

/// What is not offered of groups.
fn is_offered(body: &Body) -> Outcome<()> {
    let refuse = |field: &str, what: &str| Err(Refusal::bad(3, format!("{what} are not supported.")).at(field));
    if body.has("consistency_groups") {
        return refuse("consistency_groups", "Consistency groups in consistency groups");
    }
    if body.has("clone") {
        return refuse("clone", "Clones of consistency groups");
    }
    match body.text("provisioning_options.action") {
        None | Some("create") => Ok(()),
        Some(_) => refuse("provisioning_options.action", "Consistency groups in consistency groups"),
    }
}
