//! The certificate of all listeners that speak TLS: one that is given, the one that is kept in the data directory, or a new one.

use std::fs;
use std::io;

use super::{Failure, Serve};
use crate::front::http::Tls;
use crate::site::Site;

/// Where it is kept in the data directory.
const FILE: &str = "tls.pem";

impl Serve {
    /// Whether the addresses of --listen speak TLS.
    pub(super) const fn speaks_tls(&self) -> bool {
        self.tls || self.tls_cert.is_some()
    }
    /// The names that a certificate of our own is for, besides localhost.
    pub(super) fn names(&self, speaking: usize) -> Vec<String> {
        let mut names = self.tls_name.clone();
        names.extend(self.ontap.names(&self.listen, speaking).into_iter().filter(|name| !self.tls_name.contains(name)));
        names
    }
    /// The certificate, if one is needed at the start: TLS is spoken, or ONTAP by so many arrays. Written where it is asked for.
    pub(super) fn certificate(&self, site: &Site, speaking: usize) -> Result<Option<Tls>, Failure> {
        let tls = match (&self.tls_cert, &self.tls_key) {
            (Some(certificate), Some(key)) => Some(Tls::from_files(certificate, key)),
            _ if self.tls || speaking > 0 => Some(kept_or_made(site, &self.names(speaking))),
            _ => None,
        };
        let tls = tls.transpose().map_err(|cause| Failure::arguments(format!("TLS: {cause}")))?;
        match (&tls, &self.cert_out) {
            (None, _) if !self.tls_name.is_empty() => Err(Failure::arguments("--tls-name needs --tls, or an array that speaks ONTAP")),
            (None, Some(_)) => Err(Failure::arguments("--cert-out needs --tls, or an array that speaks ONTAP")),
            (Some(tls), Some(file)) => {
                let refuse = |cause| Failure::of_work(format!("--cert-out {}: {cause}", file.display()));
                fs::write(file, tls.trust()).map_err(refuse)?;
                Ok(Some(tls.clone()))
            }
            _ => Ok(tls),
        }
    }
}

/// The certificate that is kept in the data directory, or a new one, which is kept there if there is one.
pub(super) fn kept_or_made(site: &Site, names: &[String]) -> io::Result<Tls> {
    let named = |cause: io::Error| io::Error::new(cause.kind(), format!("{FILE} in the data directory: {cause}"));
    if let Some(kept) = site.kept(FILE).map_err(named)? {
        match Tls::kept(&kept, names).map_err(named)? {
            Some(tls) => return Ok(tls),
            None => tracing::info!("the certificate that was kept is for other names; a new one is made, which clients must trust anew"),
        }
    }
    let tls = Tls::self_made(names)?;
    tls.made().map_or(Ok(()), |made| site.keep(FILE, made)).map_err(named)?;
    Ok(tls)
}
