//! The target services of SVMs, as far as the SVM itself shows and makes them.

use crate::collection::View;
use crate::model::{Object, Protocol, Tenant};
use crate::ops::{self, AnyOperation};

/// Whether an SVM's service for a protocol is enabled; `None`: it has none.
pub(crate) fn of(view: &View<'_>, svm: &Tenant, protocol: Protocol) -> Option<bool> {
    view.array.service(svm.key(), protocol).map(|service| service.enabled)
}

/// The operations that make the services of a new SVM, which is named so.
pub(crate) fn made(svm: &str, protocols: &[Protocol]) -> Vec<AnyOperation> {
    protocols.iter().map(|protocol| make(svm, *protocol)).collect()
}

/// The operation that enables or disables the service of an SVM; the service is made when it is to be enabled and is not there.
pub(crate) fn set(view: &View<'_>, svm: &Tenant, protocol: Protocol, enabled: bool) -> Option<AnyOperation> {
    match view.array.service(svm.key(), protocol) {
        None => enabled.then(|| make(&svm.id().to_string(), protocol)),
        Some(service) if service.enabled != enabled => {
            Some(ops::service::Update { service: service.id().to_string(), enabled: Some(enabled), alias: None }.into())
        }
        Some(_) => None,
    }
}

fn make(svm: &str, protocol: Protocol) -> AnyOperation {
    ops::service::Create { tenant: svm.to_owned(), protocol, enabled: None, alias: None }.into()
}
