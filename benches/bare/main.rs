//! The bound that `benches/http.sh` measures against: a web server that does nothing but answer constants.
//!
//! `bare ONE PAGE MADE` serves the files' contents: `GET /one`, `GET /page`, `POST /made`. With two files more, a certificate with its chain
//! and its key as PEM, it speaks TLS. It prints its address.

use std::io;

use actix_web::{App, HttpResponse, HttpServer, web};
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

fn tls(chain: &str, key: &str) -> io::Result<ServerConfig> {
    let chain: Vec<_> = CertificateDer::pem_file_iter(chain).and_then(Iterator::collect).map_err(io::Error::other)?;
    let key = PrivateKeyDer::from_pem_file(key).map_err(io::Error::other)?;
    ServerConfig::builder().with_no_client_auth().with_single_cert(chain, key).map_err(io::Error::other)
}

#[actix_web::main]
async fn main() -> io::Result<()> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let ([one, page, made], tls) = match files.as_slice() {
        [one, page, made] => ([one, page, made], None),
        [one, page, made, chain, key] => ([one, page, made], Some(tls(chain, key)?)),
        _ => return Err(io::Error::new(io::ErrorKind::InvalidInput, "usage: bare ONE PAGE MADE [CHAIN KEY]")),
    };
    let read = |file: &String| std::fs::read(file).map(web::Bytes::from);
    let (one, page, made) = (read(one)?, read(page)?, read(made)?);
    let server = HttpServer::new(move || {
        let (one, page, made) = (one.clone(), page.clone(), made.clone());
        let json = |body: &web::Bytes| HttpResponse::Ok().content_type("application/json").body(body.clone());
        App::new()
            .route("/one", web::get().to(move || std::future::ready(json(&one))))
            .route("/page", web::get().to(move || std::future::ready(json(&page))))
            .route(
                "/made",
                web::post().to(move |_: web::Bytes| std::future::ready(HttpResponse::Created().content_type("application/json").body(made.clone()))),
            )
    });
    let (scheme, server) = match tls {
        None => ("http", server.bind(("127.0.0.1", 0))?),
        Some(tls) => ("https", server.bind_rustls_0_23(("127.0.0.1", 0), tls)?),
    };
    for address in server.addrs() {
        println!("{scheme}://{address}");
    }
    server.run().await
}
