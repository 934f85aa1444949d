//! What stands on the port besides `/api`: the three calls of the older XML interface that clients make before they use REST, and the
//! description of the API.

use std::fmt::Write as _;
use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, web};

use crate::collection::View;
use crate::model::{Key, Object, Tenant};
use crate::ops::Actor;
use crate::query::Query;
use crate::refusal::{Outcome, Refusal};
use crate::scope::Scope;
use crate::site::Hosted;
use crate::version::Version;

/// The path of the XML interface.
const SERVLET: &str = "/servlets/netapp.servlets.admin.XMLrequest_filer";
/// The path of the documentation.
const DOCUMENTATION: &str = "/docs/api";
/// The path of the description.
const DESCRIPTION: &str = "/docs/api/swagger.yaml";
/// What the documentation says.
const PAGE: &str = "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>ONTAP REST API</title></head><body><h1>ONTAP REST API</h1>\
    <p>Everything that this cluster serves is described in <a href=\"/docs/api/swagger.yaml\">an OpenAPI document</a>.</p></body></html>\n";
/// The most bytes of a call.
const MOST: usize = 64 << 10;
/// What is said of a call that does not exist.
const NO_SUCH_API: u32 = 13_005;
/// What is said of an SVM that does not exist.
const NO_SUCH_SVM: u32 = 15_698;

/// Answers what is asked outside of `/api`.
pub(crate) async fn answer(request: &HttpRequest, payload: web::Payload, hosted: &Arc<Hosted>, actor: &Actor, version: Version) -> Outcome<HttpResponse> {
    let path = request.path().trim_end_matches('/');
    if path == DOCUMENTATION && request.method() == actix_web::http::Method::GET {
        return Ok(HttpResponse::Ok().content_type("text/html; charset=utf-8").body(PAGE));
    }
    if path == DESCRIPTION && request.method() == actix_web::http::Method::GET {
        // JSON is YAML, too.
        let document = hosted.read(|world| crate::document::document(world, version));
        return Ok(HttpResponse::Ok().content_type("application/yaml").body(document.to_string()));
    }
    if path != SERVLET || request.method() != actix_web::http::Method::POST {
        return Err(Refusal::no_such_api());
    }
    let unreadable = || Refusal::bad(262_199, "The body of the request cannot be read.");
    let body = payload.to_bytes_limited(MOST).await.map_err(|_| unreadable())?.map_err(|_| unreadable())?;
    let call = Call::read(&String::from_utf8_lossy(&body));
    let results = hosted.read(|world| {
        let query = Query::default();
        let own = Scope::of(world, actor, None, None)?.map(|scope| scope.svm);
        Ok::<_, Refusal>(call.results(&View::of(world, hosted, version, &query), own))
    })?;
    let text =
        format!("<?xml version='1.0' encoding='UTF-8' ?>\n<netapp version='1.{}' xmlns='http://www.netapp.com/filer/admin'>{results}</netapp>", minor(version));
    Ok(HttpResponse::Ok().content_type("text/xml").body(text))
}

/// The release of the XML interface that belongs to a release of ONTAP: 9.8 has 180, and each later one ten more.
fn minor(version: Version) -> u32 {
    let (_, major, minor) = version.numbers();
    180 + u32::from(major.saturating_sub(8)) * 10 + u32::from(minor)
}

/// A call.
#[derive(Debug, Default, PartialEq, Eq)]
struct Call {
    name: String,
    /// The SVM into which it goes.
    vfiler: Option<String>,
}

impl Call {
    /// Reads the name of the element inside of the outermost one, and the SVM that the latter names.
    fn read(text: &str) -> Call {
        let mut elements = text.split('<').skip(1).filter(|element| !element.starts_with(['?', '!', '/']));
        let outer = elements.next().unwrap_or_default();
        let name = elements.next().map(|element| element.split([' ', '>', '/', '\t', '\r', '\n']).next().unwrap_or_default()).unwrap_or_default();
        Call { name: name.to_owned(), vfiler: attribute(outer, "vfiler") }
    }
    /// What it answers; an account of an SVM has that one, and nothing of the cluster.
    fn results(&self, view: &View<'_>, own: Option<Key<Tenant>>) -> String {
        let mut reached = view.array.tenants.iter().filter(|tenant| own.is_none_or(|own| own == tenant.key()));
        if let Some(svm) = self.vfiler.as_ref().filter(|svm| !reached.any(|tenant| tenant.name() == *svm)) {
            return failed(NO_SUCH_SVM, &format!("Specified vserver not found: {svm}"));
        }
        let (generation, major, _) = view.version.numbers();
        match self.name.as_str() {
            "system-get-ontapi-version" => passed(&format!("<major-version>1</major-version><minor-version>{}</minor-version>", minor(view.version))),
            "system-get-version" => {
                let minor = view.version.numbers().2;
                passed(&format!(
                    "<build-timestamp>1767225600</build-timestamp><is-clustered>true</is-clustered><version>NetApp Release {}: Thu Jan 01 00:00:00 UTC 2026</version>\
                     <version-tuple><system-version-tuple><generation>{generation}</generation><major>{major}</major><minor>{minor}</minor>\
                     </system-version-tuple></version-tuple>",
                    view.version
                ))
            }
            "system-node-get-iter" => match own.and_then(|own| view.array.tenants.get(own)) {
                Some(svm) => failed(NO_SUCH_API, &format!("Unable to find API: {} on data vserver {}", self.name, svm.name())),
                None => passed(&nodes(view)),
            },
            name => failed(NO_SUCH_API, &format!("Unable to find API: {name}")),
        }
    }
}

fn nodes(view: &View<'_>) -> String {
    let mut list = String::new();
    for node in view.array.controllers.iter() {
        let _ = write!(
            list,
            "<node-details-info><is-all-flash-optimized>true</is-all-flash-optimized><is-all-flash-select-optimized>false</is-all-flash-select-optimized>\
             <node>{}</node><node-model>{}</node-model></node-details-info>",
            escaped(&view.node_name(node)),
            escaped(&view.array.facts.product.replace(' ', "-"))
        );
    }
    format!("<attributes-list>{list}</attributes-list><num-records>{}</num-records>", view.array.controllers.iter().count())
}

fn attribute(element: &str, name: &str) -> Option<String> {
    let rest = element.split(&format!(" {name}=")).nth(1)?;
    let quote = rest.chars().next()?;
    rest[1..].split(quote).next().map(str::to_owned)
}

fn passed(inner: &str) -> String {
    format!("<results status=\"passed\">{inner}</results>")
}

fn failed(number: u32, reason: &str) -> String {
    format!("<results status=\"failed\" errno=\"{number}\" reason=\"{}\"/>", escaped(reason))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_the_element_inside_of_the_first() {
        let text = "<netapp xmlns=\"http://www.netapp.com/filer/admin\" version=\"1.261\" vfiler=\"vs0\"><system-get-version/></netapp>";
        assert_eq!(Call::read(text), Call { name: "system-get-version".into(), vfiler: Some("vs0".into()) });
        let text = "<?xml version='1.0'?><netapp version='1.15'>\n <system-node-get-iter><max-records>50</max-records></system-node-get-iter></netapp>";
        assert_eq!(Call::read(text), Call { name: "system-node-get-iter".into(), vfiler: None });
        assert_eq!(Call::read("nonsense"), Call::default());
    }

    #[test]
    fn the_xml_interface_has_a_release_for_each_of_ontap() {
        for (version, minor) in [("9.16.1", 261), ("9.12.1", 221), ("9.17.1", 271)] {
            assert_eq!(super::minor(version.parse().expect("played")), minor);
        }
    }
}
