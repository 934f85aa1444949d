//! Who a request comes from. Every front asks a [`Gate`] before it answers, and says in its own words why somebody is not let in.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use actix_web::http::header::AUTHORIZATION;
use actix_web::{HttpMessage, HttpRequest, web};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::site::{Credential, Denial, Identity, Reception, Recognition, Site};

/// What the header `WWW-Authenticate` says to who is not let in.
pub const CHALLENGE: &str = "Basic realm=\"arrayplane\", charset=\"UTF-8\", Bearer realm=\"arrayplane\"";
/// How many passwords are hashed at once; each takes 8 MiB and some milliseconds.
const HASHES_AT_ONCE: usize = 2;
/// How many may wait for that.
const WAITING_MAX: usize = 64;

/// Lets requests in, or not. Shared by all workers; hashing happens away from them, and never more than a few at once.
#[derive(Clone, Debug)]
pub struct Gate {
    site: Arc<Site>,
    reception: Reception,
    turns: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
}

/// Ends a wait, also when the client goes away.
struct Waiting(Arc<AtomicUsize>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Gate {
    /// The gate of a site, at our own fronts.
    pub fn new(site: &Arc<Site>) -> Gate {
        Gate::at(site, Reception::Open)
    }
    /// The gate of a site at the front of a vendor: nobody comes in without a name and a password.
    pub fn of_vendor(site: &Arc<Site>) -> Gate {
        Gate::at(site, Reception::Vendor)
    }
    fn at(site: &Arc<Site>, reception: Reception) -> Gate {
        Gate { site: Arc::clone(site), reception, turns: Arc::new(Semaphore::new(HASHES_AT_ONCE)), waiting: Arc::default() }
    }
    /// Finds out who a request about `array` comes from, and notes it for handlers and the log ([`identity`]).
    pub async fn admit(&self, request: &HttpRequest, array: Option<&str>) -> Result<(), Denial> {
        let identity = self.check(array, credential(request)?).await?;
        request.extensions_mut().insert(identity);
        Ok(())
    }
    /// Finds out whose a name and a password are that did not come in the header.
    pub async fn log_in(&self, array: Option<&str>, user: String, password: String) -> Result<Identity, Denial> {
        self.check(array, Credential::Basic { user, password }).await
    }
    async fn check(&self, array: Option<&str>, credential: Credential) -> Result<Identity, Denial> {
        match self.site.recognise_at(self.reception, array, &credential) {
            Recognition::Known(identity) => Ok(identity),
            Recognition::Denied(denial) => Err(denial),
            Recognition::Unproven => {
                let turn = self.turn().await?;
                let (site, reception, array) = (Arc::clone(&self.site), self.reception, array.map(str::to_owned));
                let prove = move || {
                    let _turn = turn;
                    site.prove_at(reception, array.as_deref(), &credential)
                };
                web::block(prove).await.map_err(|_| Denial::Busy)?
            }
        }
    }
    async fn turn(&self) -> Result<OwnedSemaphorePermit, Denial> {
        let waiting = Waiting(Arc::clone(&self.waiting));
        if self.waiting.fetch_add(1, Ordering::AcqRel) >= WAITING_MAX {
            return Err(Denial::Busy);
        }
        let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(|_| Denial::Busy);
        drop(waiting);
        turn
    }
}

/// Who a request comes from, once a [`Gate`] has admitted it.
pub fn identity(request: &HttpRequest) -> Option<Identity> {
    request.extensions().get::<Identity>().cloned()
}

/// What a request brings in its header.
fn credential(request: &HttpRequest) -> Result<Credential, Denial> {
    let mut headers = request.headers().get_all(AUTHORIZATION);
    let Some(header) = headers.next() else { return Ok(Credential::Nothing) };
    if headers.next().is_some() {
        return Err(Denial::Malformed);
    }
    let text = header.to_str().map_err(|_| Denial::Malformed)?;
    let (scheme, rest) = text.trim().split_once(' ').ok_or(Denial::Malformed)?;
    match scheme.to_ascii_lowercase().as_str() {
        "basic" => basic(rest.trim()).ok_or(Denial::Malformed),
        "bearer" => Ok(Credential::Bearer(rest.trim().to_owned())),
        _ => Err(Denial::Malformed),
    }
}

fn basic(encoded: &str) -> Option<Credential> {
    let text = String::from_utf8(BASE64.decode(encoded).ok()?).ok()?;
    let (user, password) = text.split_once(':')?;
    Some(Credential::Basic { user: user.to_owned(), password: password.to_owned() })
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn read(header: &str) -> Result<Credential, Denial> {
        credential(&TestRequest::default().insert_header((AUTHORIZATION, header)).to_http_request())
    }

    #[test]
    fn credentials_stand_in_one_header_as_basic_or_bearer() {
        let bob = Credential::Basic { user: "bob".into(), password: "pass:word".into() };
        assert_eq!(read(&format!("Basic {}", BASE64.encode("bob:pass:word"))), Ok(bob.clone()));
        assert_eq!(read(&format!("basic  {}", BASE64.encode("bob:pass:word"))), Ok(bob));
        assert_eq!(read("Bearer token"), Ok(Credential::Bearer("token".into())));
        assert_eq!(credential(&TestRequest::default().to_http_request()), Ok(Credential::Nothing));
        for wrong in ["", "Basic", "Basic !!", &format!("Basic {}", BASE64.encode("nobody")), "Digest x", &format!("Basic {}", BASE64.encode([0xff, b':']))] {
            assert_eq!(read(wrong), Err(Denial::Malformed), "{wrong}");
        }
        let twice = TestRequest::default().append_header((AUTHORIZATION, "Bearer a")).append_header((AUTHORIZATION, "Bearer b"));
        assert_eq!(credential(&twice.to_http_request()), Err(Denial::Malformed));
    }

    #[actix_web::test]
    async fn only_so_many_wait_for_their_password_to_be_checked() {
        let site = Site::new();
        site.set_password("letters1");
        let gate = Gate::new(&site);
        let held = [gate.turn().await.expect("free"), gate.turn().await.expect("free")];
        gate.waiting.store(WAITING_MAX, Ordering::Release);
        assert_eq!(gate.log_in(None, "admin".into(), "wrong".into()).await, Err(Denial::Busy));
        assert_eq!(gate.log_in(None, "admin".into(), "letters1".into()).await, Ok(Identity::server()), "who is known waits for nobody");
        gate.waiting.store(0, Ordering::Release);
        drop(held);
        assert_eq!(gate.log_in(None, "admin".into(), "wrong".into()).await, Err(Denial::Wrong));
        assert_eq!(gate.waiting.load(Ordering::Acquire), 0);
    }
}
