//! Whom the array tells what happens: by mail, syslog and SNMP.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Secret;

/// Whom the array tells what happens.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
#[schema(as = NotificationSettings)]
pub struct Notification {
    /// By mail; `null`: not.
    pub mail: Option<Mail>,
    /// Servers of the system log.
    pub syslog: Vec<SyslogServer>,
    /// By SNMP.
    pub snmp: Snmp,
}

/// How mail is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = MailSettings)]
pub struct Mail {
    /// The server's name or address.
    #[schema(example = "mail.example.com")]
    pub server: String,
    /// Its port; 25 if left out.
    #[serde(default = "Mail::port")]
    pub port: u16,
    /// Who sends.
    #[schema(example = "array@example.com")]
    pub sender: String,
    /// Who is told, one to five.
    #[schema(example = json!(["ops@example.com"]))]
    pub recipients: Vec<String>,
}

/// A server of the system log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SyslogServer {
    /// Its name or address.
    #[schema(example = "log.example.com")]
    pub server: String,
    /// Its port; 514 if left out.
    #[serde(default = "SyslogServer::port")]
    pub port: u16,
}

/// What SNMP shows, and to whom.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(as = SnmpSettings)]
pub struct Snmp {
    /// Whether the array answers.
    pub enabled: bool,
    /// Those that may ask by versions 1 and 2c.
    pub communities: Vec<SnmpCommunity>,
    /// Those that may ask by version 3.
    pub users: Vec<SnmpUser>,
    /// Whom traps are sent to.
    pub traps: Vec<SnmpTrap>,
}

/// Those that may ask by versions 1 and 2c.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SnmpCommunity {
    /// The word that they say; it is not shown again.
    pub community: Secret,
    /// Whether they may change something.
    #[serde(default)]
    pub write: bool,
}

/// One that may ask by version 3.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SnmpUser {
    /// The name.
    #[schema(example = "monitor")]
    pub name: String,
    /// How the user proves who it is; `none` if left out.
    #[serde(default)]
    pub authentication: SnmpAuthentication,
    /// With which secret; it is not shown again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub authentication_secret: Option<Secret>,
    /// How messages are kept private; `none` if left out.
    #[serde(default)]
    pub privacy: SnmpPrivacy,
    /// With which secret; it is not shown again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub privacy_secret: Option<Secret>,
}

/// How a user proves who it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SnmpAuthentication {
    /// Not at all.
    #[default]
    None,
    /// By MD5.
    Md5,
    /// By SHA.
    Sha,
}

/// How messages are kept private.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SnmpPrivacy {
    /// Not at all.
    #[default]
    None,
    /// By DES.
    Des,
    /// By AES.
    Aes,
}

/// Whom traps are sent to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SnmpTrap {
    /// The name or address.
    #[schema(example = "192.168.1.20")]
    pub server: String,
    /// The port; 162 if left out.
    #[serde(default = "SnmpTrap::port")]
    pub port: u16,
    /// The user under whose name they are sent by version 3; by version 2c if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
}

impl Mail {
    const fn port() -> u16 {
        25
    }
}

impl SyslogServer {
    const fn port() -> u16 {
        514
    }
}

impl SnmpTrap {
    const fn port() -> u16 {
        162
    }
}

impl Snmp {
    /// The same, its secrets hidden.
    #[must_use]
    pub fn masked(&self) -> Snmp {
        let mut shown = self.clone();
        shown.communities.iter_mut().for_each(|one| one.community = Secret::masked());
        for user in &mut shown.users {
            user.authentication_secret = user.authentication_secret.as_ref().map(|_| Secret::masked());
            user.privacy_secret = user.privacy_secret.as_ref().map(|_| Secret::masked());
        }
        shown
    }
    /// All its secrets, each with the field that it stands in.
    pub fn secrets(&self) -> impl Iterator<Item = (&'static str, &Secret)> {
        let communities = self.communities.iter().map(|one| ("snmp.communities.community", &one.community));
        let proofs = self.users.iter().filter_map(|user| user.authentication_secret.as_ref()).map(|secret| ("snmp.users.authentication_secret", secret));
        let privacy = self.users.iter().filter_map(|user| user.privacy_secret.as_ref()).map(|secret| ("snmp.users.privacy_secret", secret));
        communities.chain(proofs).chain(privacy)
    }
}

impl Notification {
    /// The same, its secrets hidden.
    #[must_use]
    pub fn masked(&self) -> Notification {
        Notification { snmp: self.snmp.masked(), ..self.clone() }
    }
}
