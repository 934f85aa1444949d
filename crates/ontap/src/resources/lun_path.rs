//! Paths of LUNs and namespaces: `/vol/VOLUME/LUN`.

use crate::body::Named;
use crate::model::{Array, Key, Object, Tenant, Volume};

/// The path of a LUN or namespace.
pub(crate) fn path_of(array: &Array, volume: &Volume) -> String {
    let container = volume.container().and_then(|key| array.containers.get(key)).map_or("", Object::name);
    format!("/vol/{container}/{}", volume.name())
}

/// The LUNs or namespaces at a path, in whatever SVM.
pub(crate) fn at<'a>(array: &'a Array, path: &str, _namespaces: bool) -> Vec<&'a Volume> {
    array.volumes.iter().filter(|volume| path_of(array, volume) == path).collect()
}

/// The LUN or namespace that a client names, by identifier or by path; both must agree.
pub(crate) fn find<'a>(array: &'a Array, named: &Named, namespaces: bool, svm: Option<Key<Tenant>>) -> Option<&'a Volume> {
    let by_id = |id: &String| array.volumes.key_of(id.parse().ok()?).and_then(|key| array.volumes.get(key));
    let found = named.uuid.as_ref().map_or_else(|| at(array, named.name.as_deref().unwrap_or_default(), namespaces).into_iter().next(), by_id);
    found.filter(|volume| svm.is_none() || volume.tenant == svm)
}
