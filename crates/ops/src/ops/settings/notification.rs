//! Whom the array tells what happens.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{form_is_good, tell};
use crate::model::{Mail, Notification, Noun, OpError, Policy, Snmp, SnmpAuthentication, SnmpPrivacy, SnmpUser, SyslogServer, is_machine};
use crate::ops::{Ctx, Operation, World, rules};

/// Changes whom the array tells what happens. Each part that is given replaces that part as a whole; secrets are written, and never shown.
///
/// Refused, in this order: mail switched off and set up at once; a mail server that is none; a sender or recipient that is no address; none or
/// too many recipients; too many servers of the system log, or one that is none; too many communities, users or traps; a user's name that
/// is none, or two users of one name; a way to prove without secret, or a secret without a way; privacy without proof; a secret that is too
/// short, too long, or is what is shown in its place; a trap to a server that is none, or for an unknown user.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NotificationUpdate, examples(json!({
    "mail": {"server": "mail.example.com", "sender": "array@example.com", "recipients": ["ops@example.com"]}, "syslog": [{"server": "log.example.com"}],
    "snmp": {"enabled": true, "communities": [{"community": "a long word"}], "traps": [{"server": "192.168.1.20"}]}
})))]
pub struct Update {
    /// How mail is sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mail: Option<Mail>,
    /// Whether mail is switched off, and how it was sent forgotten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_mail: Option<bool>,
    /// All servers of the system log, up to three.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub syslog: Option<Vec<SyslogServer>>,
    /// What SNMP shows, and to whom.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snmp: Option<Snmp>,
}

impl Operation for Update {
    const NAME: &'static str = "notification.update";
    const POLICY: Policy = Policy::StorageManagement;
    const SINGLETON: Option<Noun> = Some(Noun::Settings);
    type Plan = Notification;
    type Output = ();

    fn check(&self, world: &World, _: &Ctx) -> Result<Notification, OpError> {
        let present = &world.array.settings.notification;
        let off = self.no_mail.unwrap_or(false);
        if off && self.mail.is_some() {
            let (fields, because) = (vec!["no_mail".into(), "mail".into()], "mail is switched off or set up".into());
            return Err(OpError::Conflicting { noun: Noun::Settings, fields, because });
        }
        self.mail.as_ref().map_or(Ok(()), mail_is_good)?;
        if let Some(servers) = &self.syslog {
            at_most("syslog", servers.len(), 3)?;
            servers.iter().try_for_each(|server| machine("syslog.server", &server.server))?;
        }
        self.snmp.as_ref().map_or(Ok(()), snmp_is_good)?;
        let mail = if off { None } else { self.mail.clone().or_else(|| present.mail.clone()) };
        let syslog = self.syslog.clone().unwrap_or_else(|| present.syslog.clone());
        Ok(Notification { mail, syslog, snmp: self.snmp.clone().unwrap_or_else(|| present.snmp.clone()) })
    }

    fn apply(plan: Notification, world: &mut World, _: &Ctx) {
        if world.array.settings.notification != plan {
            world.array.settings.notification = plan;
            tell(world, "notification_changed", "whom the array tells what happens has changed".into());
        }
    }

    fn masked(&self) -> Update {
        Update { snmp: self.snmp.as_ref().map(Snmp::masked), ..self.clone() }
    }
}

fn at_most(field: &str, count: usize, most: u64) -> Result<(), OpError> {
    rules::in_range(Noun::Settings, field, u64::try_from(count).unwrap_or(u64::MAX), (0, most))
}

fn machine(field: &str, text: &str) -> Result<(), OpError> {
    form_is_good(field, Some(text), is_machine, "the name or address of a machine")
}

/// An address of mail: something, `@`, and the name of a machine, at most 254 characters.
fn is_mailbox(text: &str) -> bool {
    let named = |(box_name, server): (&str, &str)| !box_name.is_empty() && box_name.chars().all(|c| c.is_ascii_graphic()) && is_machine(server);
    text.len() <= 254 && text.rsplit_once('@').is_some_and(named)
}

fn mail_is_good(mail: &Mail) -> Result<(), OpError> {
    machine("mail.server", &mail.server)?;
    form_is_good("mail.sender", Some(&mail.sender), is_mailbox, "an address such as array@example.com")?;
    mail.recipients.iter().try_for_each(|text| form_is_good("mail.recipients", Some(text), is_mailbox, "an address such as ops@example.com"))?;
    rules::in_range(Noun::Settings, "mail.recipients", u64::try_from(mail.recipients.len()).unwrap_or(u64::MAX), (1, 5))
}

fn snmp_is_good(snmp: &Snmp) -> Result<(), OpError> {
    at_most("snmp.communities", snmp.communities.len(), 10)?;
    at_most("snmp.users", snmp.users.len(), 10)?;
    at_most("snmp.traps", snmp.traps.len(), 10)?;
    for (place, user) in snmp.users.iter().enumerate() {
        let is_name = |text: &str| (1..=32).contains(&text.len()) && text.chars().all(|c| c.is_ascii_graphic());
        form_is_good("snmp.users.name", Some(&user.name), is_name, "a name of 1 to 32 printable ASCII characters without spaces")?;
        if snmp.users[..place].iter().any(|other| other.name == user.name) {
            let because = format!("two users are named '{}'", user.name);
            return Err(OpError::Conflicting { noun: Noun::Settings, fields: vec!["snmp.users".into()], because });
        }
        proof_is_whole(user)?;
    }
    for (field, secret) in snmp.secrets() {
        let least = if field == "snmp.communities.community" { 1 } else { 8 };
        rules::secret_is_good(Noun::Settings, field, secret, (least, 64))?;
    }
    for trap in &snmp.traps {
        machine("snmp.traps.server", &trap.server)?;
        let known = |name: &str| snmp.users.iter().any(|user| user.name == name);
        form_is_good("snmp.traps.user", trap.user.as_deref(), known, "one of the users that are given")?;
    }
    Ok(())
}

/// A way to prove goes with a secret, a way to be private with another, and privacy with proof.
fn proof_is_whole(user: &SnmpUser) -> Result<(), OpError> {
    let ways = [
        ("snmp.users.authentication_secret", user.authentication != SnmpAuthentication::None, user.authentication_secret.is_some()),
        ("snmp.users.privacy_secret", user.privacy != SnmpPrivacy::None, user.privacy_secret.is_some()),
    ];
    for (field, wanted, given) in ways {
        match (wanted, given) {
            (true, false) => {
                let because = format!("the user '{}' needs it", user.name);
                return Err(OpError::Missing { noun: Noun::Settings, field: field.into(), because });
            }
            (false, true) => {
                let because = format!("the user '{}' has no use for it", user.name);
                return Err(OpError::Conflicting { noun: Noun::Settings, fields: vec![field.into()], because });
            }
            _ => {}
        }
    }
    if user.privacy != SnmpPrivacy::None && user.authentication == SnmpAuthentication::None {
        let because = format!("privacy of the user '{}' goes with proof only", user.name);
        return Err(OpError::Missing { noun: Noun::Settings, field: "snmp.users.authentication".into(), because });
    }
    Ok(())
}
