//! Paths of LUNs and namespaces, `/vol/VOLUME[/QTREE]/NAME`, and what they lead to.

use crate::body::{Body, Named};
use crate::collection::{View, resolve};
use crate::model::{Array, Container, Key, Object, Party, Protocol, RecordKind, Tenant, Volume, VolumeFormat};
use crate::refusal::{Outcome, Refusal};

/// A path, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Path {
    /// The volume.
    pub(crate) volume: String,
    /// The snapshot, where the path leads into one.
    pub(crate) snapshot: Option<String>,
    /// The name in the volume, with the qtree before it.
    pub(crate) name: String,
}

impl Path {
    /// Reads a path; `None`: it is none.
    pub(crate) fn read(text: &str) -> Option<Path> {
        let parts: Vec<&str> = text.strip_prefix("/vol/")?.split('/').collect();
        if parts.iter().any(|part| part.is_empty()) {
            return None;
        }
        let (snapshot, inner) = match parts.get(1).copied() {
            Some(".snapshot") => (Some((*parts.get(2)?).to_owned()), parts.get(3..)?),
            _ => (None, parts.get(1..)?),
        };
        let name = (1..=2).contains(&inner.len()).then(|| inner.join("/"))?;
        Some(Path { volume: parts[0].to_owned(), snapshot, name })
    }
}

/// The path of a LUN or namespace.
pub(crate) fn path_of(array: &Array, volume: &Volume) -> String {
    let container = volume.container().and_then(|key| array.containers.get(key)).map_or("", Object::name);
    format!("/vol/{container}/{}", volume.name())
}

/// The qtree in which it lies, and its own name.
pub(crate) fn names_of(name: &str) -> (Option<&str>, &str) {
    name.split_once('/').map_or((None, name), |(qtree, leaf)| (Some(qtree), leaf))
}

/// Whether a mapping is for NVMe hosts.
pub(crate) fn is_nvme(array: &Array, party: Party) -> bool {
    let protocol = match party {
        Party::Host(host) => array.hosts[host].initiator.protocol().to_string(),
        Party::HostGroup(group) => array.host_groups[group].protocol.to_string(),
    };
    protocol == Protocol::Nvme.to_string()
}

/// Whether a volume is a namespace; otherwise it is a LUN. Of one for which nobody has said it, those tell to whom it is mapped.
pub(crate) fn is_namespace(array: &Array, volume: &Volume) -> bool {
    match volume.format {
        VolumeFormat::Lun => false,
        VolumeFormat::Namespace => true,
        VolumeFormat::Open => array.mappings_of(volume.key()).any(|mapping| is_nvme(array, mapping.party)),
    }
}

/// The LUNs or namespaces at a path, in whatever SVM.
pub(crate) fn at<'a>(array: &'a Array, path: &str, namespaces: bool) -> Vec<&'a Volume> {
    let Some(path) = Path::read(path).filter(|path| path.snapshot.is_none()) else { return Vec::new() };
    let containers = array.containers.all_named(&path.volume);
    containers
        .filter_map(|container| array.volumes.named(&path.name, Some(container.key().raw())))
        .filter(|volume| is_namespace(array, volume) == namespaces)
        .collect()
}

/// The LUN or namespace that a client names, by identifier or by path; both must agree.
pub(crate) fn find<'a>(array: &'a Array, named: &Named, namespaces: bool, svm: Option<Key<Tenant>>) -> Option<&'a Volume> {
    let is_it = |volume: &&Volume| {
        volume.container().is_some()
            && is_namespace(array, volume) == namespaces
            && (svm.is_none() || volume.tenant == svm)
            && named.name.as_ref().is_none_or(|name| *name == path_of(array, volume))
    };
    match (&named.uuid, &named.name) {
        (Some(id), _) => array.volumes.key_of(id.parse().ok()?).and_then(|key| array.volumes.get(key)).filter(is_it),
        (None, Some(path)) => at(array, path, namespaces).into_iter().find(is_it),
        (None, None) => None,
    }
}

/// Where a client wants a LUN or namespace to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) container: Key<Container>,
    /// The identifier of the container.
    pub(crate) volume: String,
    pub(crate) name: String,
}

impl Spot {
    /// How operations find what is there.
    pub(crate) fn reference(&self) -> String {
        format!("{}/{}", self.volume, self.name)
    }
}

/// Where a body says that it shall be: by its name, by the parts of its location, or by both, which must agree. What is left out is as it
/// is in `present`.
pub(crate) fn spot(view: &View<'_>, svm: Option<Key<Tenant>>, body: &Body, namespaces: bool, present: Option<&Volume>) -> Outcome<Spot> {
    let leaf_field = if namespaces { "location.namespace" } else { "location.logical_unit" };
    let (named, qtree, leaf) = (body.named("location.volume"), body.text("location.qtree.name"), body.text(leaf_field));
    let path = body.text("name").map(|text| read(text, named.is_some() && leaf.is_none())).transpose()?;
    if path.as_ref().is_some_and(|path| path.snapshot.is_some()) {
        return Err(Refusal::bad(5_374_238, "LUNs and namespaces cannot be created in a snapshot.").at("name"));
    }
    let by_path = path.as_ref().filter(|path| !path.volume.is_empty()).map(|path| by_name(view, svm, &path.volume)).transpose()?;
    let by_location = named.as_ref().map(|named| by_location(view, svm, named)).transpose()?;
    if let (Some(one), Some(other)) = (by_path, by_location)
        && one.key() != other.key()
    {
        return Err(
            Refusal::bad(5_374_858, format!("The path is in volume \"{}\", \"location.volume\" is \"{}\".", one.name(), other.name())).at("location.volume")
        );
    }
    let stays = || present.and_then(Volume::container).and_then(|key| view.array.containers.get(key));
    let missing = || Refusal::bad(5_374_859, "No volume was specified. Give a path in \"name\", or \"location.volume\".").at("name");
    let container = by_path.or(by_location).or_else(stays).ok_or_else(missing)?;
    if container.note("root").and_then(serde_json::Value::as_bool) == Some(true) {
        return Err(Refusal::bad(5_374_237, "LUNs and namespaces cannot be created on an SVM's root volume.").at("location.volume"));
    }
    let name = match (&path, leaf) {
        (Some(path), _) => agrees(&path.name, qtree, leaf, leaf_field).map(|()| path.name.clone())?,
        (None, Some(leaf)) => qtree.filter(|qtree| !qtree.is_empty()).map_or_else(|| leaf.to_owned(), |qtree| format!("{qtree}/{leaf}")),
        (None, None) => present.map(|volume| volume.name().to_owned()).ok_or_else(|| {
            Refusal::bad(5_374_862, format!("No path was specified. Give a path in \"name\", or \"location.volume\" and \"{leaf_field}\".")).at("name")
        })?,
    };
    leaf_is_good(names_of(&name).1, if body.has("name") { "name" } else { leaf_field })?;
    qtree_is_there(view.array, container, &name)?;
    Ok(Spot { container: container.key(), volume: container.id().to_string(), name })
}

/// A path; a bare name will do where the location says the volume.
fn read(text: &str, bare: bool) -> Outcome<Path> {
    let bare = || (bare && !text.contains('/') && !text.is_empty()).then(|| Path { volume: String::new(), snapshot: None, name: text.to_owned() });
    Path::read(text)
        .or_else(bare)
        .ok_or_else(|| Refusal::bad(5_374_127, format!("\"{text}\" is no path of the form /vol/<volume>[/<qtree>]/<name>.")).at("name"))
}

fn by_name<'a>(view: &View<'a>, svm: Option<Key<Tenant>>, name: &str) -> Outcome<&'a Container> {
    let found = view.array.containers.all_named(name).find(|container| svm.is_none() || container.tenant == svm);
    found.ok_or_else(|| Refusal::bad(917_927, format!("The volume \"{name}\" does not exist in the SVM.")).at("name"))
}

fn by_location<'a>(view: &View<'a>, svm: Option<Key<Tenant>>, named: &Named) -> Outcome<&'a Container> {
    let of_svm = |container: &Container| svm.is_none() || container.tenant == svm;
    if let Some(container) = resolve(&view.array.containers, named, of_svm) {
        return Ok(container);
    }
    let (code, field) = match (&named.uuid, &named.name) {
        (Some(_), Some(_)) => (918_236, "location.volume"),
        (Some(_), None) => (918_235, "location.volume.uuid"),
        _ => (917_927, "location.volume.name"),
    };
    Err(Refusal::bad(code, format!("The volume \"{}\" does not exist in the SVM.", named.shown())).at(field))
}

/// Parts of the location that are given must be those of the path.
fn agrees(name: &str, qtree: Option<&str>, leaf: Option<&str>, leaf_field: &str) -> Outcome<()> {
    let (of_path, own) = names_of(name);
    if qtree.is_some_and(|qtree| qtree != of_path.unwrap_or_default()) {
        return Err(Refusal::bad(5_374_860, "The qtree of the path is not \"location.qtree\".").at("location.qtree"));
    }
    if leaf.is_some_and(|leaf| leaf != own) {
        return Err(Refusal::bad(5_374_861, format!("The last part of the path is not \"{leaf_field}\".")).at(leaf_field));
    }
    Ok(())
}

/// A LUN or namespace has a name of at most 255 letters, digits, underscores, hyphens, dots and braces.
pub(crate) fn leaf_is_good(leaf: &str, field: &str) -> Outcome<()> {
    let fits = leaf.len() <= 255 && leaf.chars().all(|c| c.is_ascii_alphanumeric() || "_-.{}".contains(c));
    let refuse = || Refusal::bad(5_374_352, format!("\"{leaf}\" is no name of a LUN or namespace: letters, digits and \"_-.{{}}\", at most 255.")).at(field);
    if fits { Ok(()) } else { Err(refuse()) }
}

fn qtree_is_there(array: &Array, container: &Container, name: &str) -> Outcome<()> {
    let (Some(qtree), _) = names_of(name) else { return Ok(()) };
    if qtree_number(array, container, qtree).is_some() {
        return Ok(());
    }
    Err(Refusal::bad(5_242_950, format!("The qtree \"{qtree}\" does not exist in volume \"{}\".", container.name())).at("location.qtree"))
}

/// The number of the qtree of that name in a volume.
pub(crate) fn qtree_number(array: &Array, container: &Container, name: &str) -> Option<u64> {
    let volume = container.id().to_string();
    let text = |record: &crate::model::Record, note: &str| record.note(note).and_then(serde_json::Value::as_str).map(str::to_owned);
    let is_it = |record: &&crate::model::Record| {
        record.kind == RecordKind::Qtree && text(record, "volume").as_deref() == Some(volume.as_str()) && text(record, "name").as_deref() == Some(name)
    };
    array.records.iter().find(is_it).map(|record| record.note("id").and_then(serde_json::Value::as_u64).unwrap_or(1))
}

#[cfg(test)]
mod tests {
    use super::Path;

    #[test]
    fn paths_are_taken_apart() {
        let path = |text: &str| Path::read(text).map(|path| (path.volume, path.snapshot.unwrap_or_default(), path.name));
        let parts = |volume: &str, snapshot: &str, name: &str| Some((volume.to_owned(), snapshot.to_owned(), name.to_owned()));
        assert_eq!(path("/vol/v/l"), parts("v", "", "l"));
        assert_eq!(path("/vol/v/q/l"), parts("v", "", "q/l"));
        assert_eq!(path("/vol/v/.snapshot/s/l"), parts("v", "s", "l"));
        for wrong in ["v/l", "/vol/v", "/vol/v/", "/vol//l", "/vol/v/a/b/c", "/vol/v/.snapshot/s", "lun"] {
            assert_eq!(path(wrong), None, "{wrong}");
        }
    }
}
