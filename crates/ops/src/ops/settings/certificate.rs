//! The certificate by which the array proves who it is.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{form_is_good, tell};
use crate::model::{Certificate, Noun, OpError, Policy, Settings, Subject, is_machine};
use crate::ops::{Ctx, Operation, World, rules};

/// Makes a self-signed certificate for a subject, or registers one. Its text is kept and shown; this stand-in does not read it.
///
/// Refused, in this order: neither a subject nor a text, or both; a common name that is no machine's; another part that is too long; a
/// country that is not two letters; days out of range; a text that is no certificate; days of a registered one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = CertificateUpdate, examples(json!({"subject": {"common_name": "array.example.com", "organization": "Example", "country": "DE"}, "days": 365})))]
pub struct Update {
    /// Whom a self-signed one shall stand for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<Subject>,
    /// For how many days, 1 to 7300; 3650 if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub days: Option<u32>,
    /// The text of one that somebody else has signed, in PEM.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pem: Option<String>,
}

impl Operation for Update {
    const NAME: &'static str = "certificate.update";
    const POLICY: Policy = Policy::SecuritySetting;
    const SINGLETON: Option<Noun> = Some(Noun::Settings);
    type Plan = Certificate;
    type Output = ();

    fn check(&self, _: &World, ctx: &Ctx) -> Result<Certificate, OpError> {
        let conflicting = |fields: [&str; 2], because: &str| {
            let fields = fields.map(str::to_owned).to_vec();
            Err(OpError::Conflicting { noun: Noun::Settings, fields, because: because.to_owned() })
        };
        match (&self.subject, &self.pem) {
            (Some(_), Some(_)) => conflicting(["subject", "pem"], "a certificate is made or registered"),
            (None, None) => {
                let because = "a certificate is made for a subject, or registered as text (pem)".into();
                Err(OpError::Missing { noun: Noun::Settings, field: "subject".into(), because })
            }
            (Some(subject), None) => {
                subject_is_good(subject)?;
                let days = self.days.unwrap_or(Settings::CERTIFICATE_DAYS);
                rules::in_range(Noun::Settings, "days", u64::from(days), (1, 7300))?;
                Ok(Certificate { self_signed: true, subject: subject.clone(), pem: None, since: ctx.now, days })
            }
            (None, Some(text)) => {
                form_is_good("pem", Some(text), is_pem, "a certificate in PEM, of up to 16384 characters")?;
                if self.days.is_some() {
                    return conflicting(["days", "pem"], "how long a registered certificate is good stands in its text");
                }
                Ok(Certificate { self_signed: false, subject: Subject::default(), pem: Some(text.clone()), since: ctx.now, days: 0 })
            }
        }
    }

    fn apply(plan: Certificate, world: &mut World, _: &Ctx) {
        let what = if plan.self_signed { "made" } else { "registered" };
        world.array.settings.certificate = plan;
        tell(world, "certificate_changed", format!("a certificate has been {what}"));
    }
}

fn subject_is_good(subject: &Subject) -> Result<(), OpError> {
    form_is_good("subject.common_name", Some(&subject.common_name), is_machine, "the name or address of a machine")?;
    let parts = [
        ("subject.organization", &subject.organization),
        ("subject.organizational_unit", &subject.organizational_unit),
        ("subject.locality", &subject.locality),
        ("subject.state", &subject.state),
    ];
    parts.into_iter().try_for_each(|(field, text)| rules::text_is_short(Noun::Settings, field, Some(text), 64))?;
    let is_country = |text: &str| text.is_empty() || (text.len() == 2 && text.chars().all(|c| c.is_ascii_uppercase()));
    form_is_good("subject.country", Some(&subject.country), is_country, "two capital letters, or nothing")
}

fn is_pem(text: &str) -> bool {
    let inside = text.trim().strip_prefix("-----BEGIN CERTIFICATE-----").and_then(|rest| rest.strip_suffix("-----END CERTIFICATE-----"));
    let letter = |c: char| c.is_ascii_alphanumeric() || "+/=\r\n-: ".contains(c);
    text.len() <= 16_384 && inside.is_some_and(|inside| !inside.trim().is_empty() && inside.chars().all(letter))
}
