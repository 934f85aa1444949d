//! TLS: a certificate of one's own, or one that the server makes for itself when it starts.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;

use rcgen::{BasicConstraints, Certificate, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair, KeyUsagePurpose};
use rustls::ServerConfig;
use rustls::crypto::aws_lc_rs;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};

/// The names that every certificate of our own making is for.
const OWN_NAMES: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

/// What a listener needs to speak TLS.
#[derive(Clone)]
pub struct Tls {
    config: Arc<ServerConfig>,
    trust: String,
    /// What was made, as it can be kept.
    made: Option<String>,
}

/// With what a certificate that is kept begins; the names that it is for follow.
const KEPT: &str = "# arrayplane: the certificate, its authority and its key, for ";

impl fmt::Debug for Tls {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Tls")
    }
}

impl Tls {
    /// With a certificate for `localhost`, the loopback addresses and `names`, made now. It is issued by an authority that is made now,
    /// too, and then forgotten: clients trust that authority ([`Tls::trust`]), which is what all kinds of clients can do.
    pub fn self_made(names: &[String]) -> io::Result<Tls> {
        let refuse = |cause: rcgen::Error| io::Error::new(io::ErrorKind::InvalidInput, format!("no certificate can be made: {cause}"));
        let (authority, issuer) = authority().map_err(refuse)?;
        let key = KeyPair::generate().map_err(refuse)?;
        let all: Vec<String> = OWN_NAMES.iter().map(|name| (*name).to_owned()).chain(names.iter().cloned()).collect();
        let mut params = CertificateParams::new(all).map_err(refuse)?;
        params.distinguished_name.push(DnType::CommonName, "arrayplane");
        params.use_authority_key_identifier_extension = true;
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        let certificate = params.signed_by(&key, &issuer).map_err(refuse)?;
        let made = format!("{KEPT}{}\n{}{}{}", names.join(", "), certificate.pem(), authority.pem(), key.serialize_pem());
        let chain = vec![certificate.der().clone(), authority.der().clone()];
        let tls = Tls::with(chain, PrivatePkcs8KeyDer::from(key.serialize_der()).into(), authority.pem())?;
        Ok(Tls { made: Some(made), ..tls })
    }
    /// With a certificate that was made for these very names and then kept; none when it is for others.
    pub fn kept(kept: &str, names: &[String]) -> io::Result<Option<Tls>> {
        let damaged = |cause: &dyn fmt::Display| io::Error::new(io::ErrorKind::InvalidData, format!("the certificate that was kept cannot be read: {cause}"));
        if kept.lines().next().and_then(|line| line.strip_prefix(KEPT)) != Some(names.join(", ").as_str()) {
            return Ok(None);
        }
        let chain: Vec<_> = CertificateDer::pem_slice_iter(kept.as_bytes()).collect::<Result<_, _>>().map_err(|cause| damaged(&cause))?;
        let key = PrivateKeyDer::from_pem_slice(kept.as_bytes()).map_err(|cause| damaged(&cause))?;
        let begins: Vec<usize> = kept.match_indices("-----BEGIN ").map(|(at, _)| at).collect();
        let (true, [_, authority, key_begins]) = (chain.len() == 2, &begins[..]) else { return Err(damaged(&"it is not whole")) };
        Tls::with(chain, key, kept[*authority..*key_begins].to_owned()).map(Some)
    }
    /// The certificate that was made now, its authority and its key, to be kept where nobody else reads.
    pub fn made(&self) -> Option<&str> {
        self.made.as_deref()
    }
    /// With the certificate, and those that it rests on, of one PEM file and the key of another.
    pub fn from_files(certificate: &Path, key: &Path) -> io::Result<Tls> {
        let refuse = |file: &Path, cause: &dyn fmt::Display| io::Error::new(io::ErrorKind::InvalidInput, format!("{}: {cause}", file.display()));
        let trust = std::fs::read_to_string(certificate).map_err(|cause| refuse(certificate, &cause))?;
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(trust.as_bytes()).collect();
        let chain = chain.map_err(|cause| refuse(certificate, &cause))?;
        if chain.is_empty() {
            return Err(refuse(certificate, &"there is no certificate in it"));
        }
        let secret = PrivateKeyDer::from_pem_file(key).map_err(|cause| refuse(key, &cause))?;
        Tls::with(chain, secret, trust)
    }
    fn with(chain: Vec<CertificateDer<'static>>, key: PrivateKeyDer<'static>, trust: String) -> io::Result<Tls> {
        let refuse = |cause: rustls::Error| io::Error::new(io::ErrorKind::InvalidInput, format!("certificate and key: {cause}"));
        let builder = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider())).with_safe_default_protocol_versions().map_err(refuse)?;
        let config = builder.with_no_client_auth().with_single_cert(chain, key).map_err(refuse)?;
        Ok(Tls { config: Arc::new(config), trust, made: None })
    }
    /// What a client must trust, as PEM.
    pub fn trust(&self) -> &str {
        &self.trust
    }
    pub(super) fn shared(&self) -> Arc<ServerConfig> {
        Arc::clone(&self.config)
    }
    pub(super) fn config(&self) -> ServerConfig {
        ServerConfig::clone(&self.config)
    }
}

/// An authority that can issue certificates for servers, and nothing below it.
fn authority() -> Result<(Certificate, Issuer<'static, KeyPair>), rcgen::Error> {
    let key = KeyPair::generate()?;
    let mut params = CertificateParams::new(Vec::new())?;
    params.distinguished_name.push(DnType::CommonName, "arrayplane test authority");
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign, KeyUsagePurpose::DigitalSignature];
    let certificate = params.self_signed(&key)?;
    Ok((certificate, Issuer::new(params, key)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certificate_that_was_made_can_be_kept_for_its_names() {
        let names = vec!["array.example".to_owned(), "192.0.2.7".to_owned()];
        let made = Tls::self_made(&names).expect("names");
        let text = made.made().expect("it was made now").to_owned();
        let again = Tls::kept(&text, &names).expect("whole").expect("for these names");
        assert_eq!((again.trust(), again.made()), (made.trust(), None));
        assert!(Tls::kept(&text, &names[..1]).expect("whole").is_none() && Tls::kept("", &[]).expect("nothing").is_none());
        let cut = text.rfind("-----BEGIN").expect("a key");
        assert!(Tls::kept(&text[..cut], &names).is_err());
        assert!(Tls::kept(&text.replacen("-----BEGIN", "----BEGIN", 2), &names).is_err());
    }

    #[test]
    fn a_certificate_is_made_for_further_names_or_read_from_files() {
        let made = Tls::self_made(&["array.example".into(), "192.0.2.7".into()]).expect("names");
        assert!(made.trust().starts_with("-----BEGIN CERTIFICATE-----"));
        assert!(Tls::self_made(&["näme".into()]).is_err());
        let folder = std::env::temp_dir().join(format!("arrayplane-tls-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a place for files");
        let (certificate, key) = (folder.join("cert.pem"), folder.join("key.pem"));
        let own = rcgen::generate_simple_self_signed(vec!["localhost".into()]).expect("a name");
        std::fs::write(&certificate, own.cert.pem()).expect("a place for files");
        std::fs::write(&key, own.signing_key.serialize_pem()).expect("a place for files");
        assert_eq!(Tls::from_files(&certificate, &key).expect("a pair").trust(), own.cert.pem());
        for (wrong, right) in [(&key, &certificate), (&certificate, &certificate), (&folder.join("none"), &key)] {
            assert!(Tls::from_files(wrong, right).is_err(), "{}", wrong.display());
        }
        let foreign = KeyPair::generate().expect("a key");
        std::fs::write(&key, foreign.serialize_pem()).expect("a place for files");
        assert!(Tls::from_files(&certificate, &key).is_err(), "the key is another's");
        std::fs::remove_dir_all(&folder).expect("it was there");
    }
}
