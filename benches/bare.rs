//! The bound that `benches/http.sh` measures against: a web server that does nothing but answer constants.
//!
//! `bare ONE PAGE MADE` serves the files' contents: `GET /one`, `GET /page`, `POST /made`; it prints its address.

use std::io;

use actix_web::{App, HttpResponse, HttpServer, web};

#[actix_web::main]
async fn main() -> io::Result<()> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let [one, page, made] = files.as_slice() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "usage: bare ONE PAGE MADE"));
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
    })
    .bind(("127.0.0.1", 0))?;
    for address in server.addrs() {
        println!("http://{address}");
    }
    server.run().await
}
