//! `/protocols/san/iscsi/services`, `/protocols/san/fcp/services` and `/protocols/nvme/services`: target services of SVMs, one a protocol.

use serde_json::{Value, json};

use crate::body::Body;
use crate::collection::{Call, Collection, Row, Verb, View, refer};
use crate::fields::Want;
use crate::kept;
use crate::model::{Key, Object, Protocol, Service, TargetService};
use crate::net;
use crate::ops;
use crate::refusal::{Outcome, Refusal};
use crate::statistics::{self, Subject};

/// The services of a protocol.
pub(crate) struct Services(pub(crate) Protocol);

impl Services {
    fn get<'a>(view: &View<'a>, row: Row) -> Option<&'a TargetService> {
        view.array.services.get(Key::from_raw(row.0))
    }
    fn id(view: &View<'_>, row: Row) -> String {
        Services::get(view, row).map(|service| service.id().to_string()).unwrap_or_default()
    }
}

impl Collection for Services {
    fn path(&self) -> &'static str {
        match self.0 {
            Protocol::Iscsi => "/protocols/san/iscsi/services",
            Protocol::Fc => "/protocols/san/fcp/services",
            Protocol::Nvme => "/protocols/nvme/services",
        }
    }
    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Create, Verb::Update, Verb::Delete]
    }
    fn rows(&self, view: &View<'_>) -> Outcome<Vec<Row>> {
        Ok(view.array.services.iter().filter(|service| service.protocol == self.0).map(|service| Row(service.key().raw(), 0)).collect())
    }
    fn record(&self, view: &View<'_>, row: Row, want: &Want) -> Value {
        let Some(service) = Services::get(view, row) else { return json!({}) };
        let mut record = json!({"enabled": service.enabled});
        if let Some(svm) = view.array.tenants.get(service.tenant) {
            record["svm"] = refer(svm.name(), svm.id());
        }
        match (&service.target, self.0) {
            (Some(target), Protocol::Iscsi) => record["target"] = json!({"name": target, "alias": service.alias}),
            (Some(target), Protocol::Fc) => record["target"] = json!({"name": net::wwn(target)}),
            _ => {}
        }
        let kinds: &[Service] = match self.0 {
            Protocol::Iscsi => &[Service::Iscsi],
            Protocol::Fc => &[Service::Fc],
            Protocol::Nvme => &[Service::NvmeFc, Service::NvmeTcp],
        };
        if want.has("metric") {
            record["metric"] = statistics::metric(view, &Subject::services(view.array, service.tenant, kinds), self.path());
        }
        if want.has("statistics") {
            record["statistics"] = statistics::statistics(view, &Subject::services(view.array, service.tenant, kinds));
        }
        record
    }
    fn create(&self, call: &Call<'_>, body: &Body) -> Outcome<Row> {
        let create = call.read(|view| {
            let svm = kept::required_svm(view, body)?;
            Ok(ops::service::Create {
                tenant: svm.id().to_string(),
                protocol: self.0,
                enabled: body.flag("enabled"),
                alias: body.text("target.alias").map(str::to_owned),
            })
        })?;
        call.make::<TargetService>(vec![create.into()]).map(|key| Row(key.raw(), 0))
    }
    fn update(&self, call: &Call<'_>, row: Row, body: &Body) -> Outcome<()> {
        let service = call.read(|view| Services::id(view, row));
        let alias = body.text("target.alias").map(str::to_owned);
        call.run(vec![ops::service::Update { service, enabled: body.flag("enabled"), alias }.into()]).map(drop)
    }
    fn delete(&self, call: &Call<'_>, row: Row) -> Outcome<()> {
        let service = call.read(|view| Services::id(view, row));
        call.run(vec![ops::service::Delete { service }.into()]).map(drop)
    }
    fn absent(&self) -> Refusal {
        match self.0 {
            Protocol::Nvme => Refusal::missing(72_090_029, "The NVMe service does not exist for the SVM."),
            _ => Refusal::missing(5_374_078, "The SVM does not have the service."),
        }
    }
}
