//! The settings of the array.

use arrayplane::model::{
    Certificate, Encryption, IpSetup, Licence, Mail, ManagementPort, Network, NetworkService, Notification, Settings, Snmp, SnmpCommunity, SnmpTrap, SnmpUser,
    Subject, SyslogServer, ThinProvisioning,
};

use super::{exact, or_none, time, word, words};

pub(super) fn settings(settings: &Settings) -> Vec<String> {
    let Settings {
        system_name,
        location,
        contact,
        description,
        data_reduction,
        time_zone,
        box_id,
        operation_mode,
        eco_mode,
        automatic_qos,
        thin_provisioning: ThinProvisioning { enabled, maximum_pool_capacity },
        network,
        notification,
        licences,
        firmware_applied,
        certificate: made,
        encryption: Encryption { mode, key_servers },
    } = settings;
    let mut lines = vec![
        format!("system name '{system_name}', location '{location}', contact '{contact}', description '{description}'"),
        format!("data reduction {data_reduction}, automatic QoS {automatic_qos}, eco mode {eco_mode}"),
        format!("time zone '{time_zone}', box id '{box_id}', operation mode {}", word(operation_mode)),
        format!("thin provisioning {enabled}, up to {}", or_none(maximum_pool_capacity.map(exact))),
        format!("encryption {}, key servers {}", word(mode), words(key_servers.iter().cloned())),
        format!("firmware applied {}", or_none(firmware_applied.map(time))),
    ];
    lines.push(format!("licences {}", words(licences.iter().map(licence))));
    lines.push(certificate(made));
    lines.extend(network_lines(network));
    lines.extend(notification_lines(notification));
    lines
}

fn licence(licence: &Licence) -> String {
    let Licence { name, key, registered } = licence;
    format!("{name} ({} at {})", if key.is_some() { "registered" } else { "new" }, time(*registered))
}

fn certificate(certificate: &Certificate) -> String {
    let Certificate { self_signed, subject, pem, since, days } = certificate;
    let Subject { common_name, organization, organizational_unit, locality, state, country } = subject;
    let subject = [common_name, organization, organizational_unit, locality, state, country].map(String::as_str).join("/");
    format!("certificate self-signed {self_signed} for {subject}, text {}, since {} for {days} days", pem.is_some(), time(*since))
}

fn setup(setup: &IpSetup) -> String {
    let IpSetup { address, prefix_length, gateway } = setup;
    format!("{address}/{prefix_length} by {}", or_none(gateway.as_ref()))
}

fn network_lines(network: &Network) -> Vec<String> {
    let Network { ports, domain, dns_servers, ntp_servers, allowed_networks, services } = network;
    let port = |ManagementPort { name, address }: &ManagementPort| format!("{name}={};", or_none(address.as_ref().map(setup)));
    let service = |NetworkService { name, open }: &NetworkService| format!("{name}={open}");
    vec![
        format!("network: ports {}", words(ports.iter().map(port))),
        format!("network: domain '{domain}', DNS {}, NTP {}", words(dns_servers.iter().cloned()), words(ntp_servers.iter().cloned())),
        format!("network: allowed {}, services {}", words(allowed_networks.iter().cloned()), words(services.iter().map(service))),
    ]
}

fn notification_lines(notification: &Notification) -> Vec<String> {
    let Notification { mail, syslog, snmp } = notification;
    let Snmp { enabled, communities, users, traps } = snmp;
    let server = |SyslogServer { server, port }: &SyslogServer| format!("{server}:{port}");
    let community = |SnmpCommunity { community, write }: &SnmpCommunity| format!("{community:?} write {write};");
    vec![
        format!("mail {}", or_none(mail.as_ref().map(mail_text))),
        format!("syslog {}", words(syslog.iter().map(server))),
        format!("SNMP {enabled}: communities {}", words(communities.iter().map(community))),
        format!("SNMP users {}, traps {}", words(users.iter().map(user)), words(traps.iter().map(trap))),
    ]
}

fn mail_text(mail: &Mail) -> String {
    let Mail { server, port, sender, recipients } = mail;
    format!("{server}:{port} from {sender} to {}", recipients.join(" "))
}

fn user(user: &SnmpUser) -> String {
    let SnmpUser { name, authentication, authentication_secret, privacy, privacy_secret } = user;
    format!("{name} {} {authentication_secret:?} {} {privacy_secret:?};", word(authentication), word(privacy))
}

fn trap(trap: &SnmpTrap) -> String {
    let SnmpTrap { server, port, user } = trap;
    format!("{server}:{port} by {};", or_none(user.as_ref()))
}
