//! The calibration report: published figures beside the modelled arrays, as data, as a page, and as charts.

use actix_web::http::header::{ACCEPT, CONTENT_TYPE};
use actix_web::{HttpRequest, HttpResponse, web};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaType, Type};

use super::listing::no_query;
use super::problem::{DEFECT, NOT_FOUND, Problem};
use super::resource::{Answered, part};
use crate::calibration::{self, Report};

/// How it looks.
pub(super) type View = Report;

const MARKDOWN: &str = "text/markdown; charset=utf-8";

/// Reads the report. The first to ask waits until it is made, in a thread of its own.
pub(super) async fn get(request: HttpRequest) -> Answered {
    no_query(request.query_string())?;
    let report = report().await?;
    if wants_markdown(&request) {
        return Ok(HttpResponse::Ok().insert_header((CONTENT_TYPE, MARKDOWN)).body(calibration::markdown(report)));
    }
    Ok(HttpResponse::Ok().json(report))
}

/// Reads a chart.
pub(super) async fn chart(request: HttpRequest) -> Answered {
    no_query(request.query_string())?;
    let report = report().await?;
    let asked = part(&request, "chart");
    let name = asked.strip_suffix(".svg").unwrap_or(&asked);
    let Some(chart) = calibration::chart(report, name) else {
        let known = calibration::chart_names(report).join(", ");
        let problem = Problem::new(NOT_FOUND, format!("no chart is called '{name}'"));
        return Err(problem.value(name).cure(format!("use one of {known}")));
    };
    Ok(HttpResponse::Ok().insert_header((CONTENT_TYPE, "image/svg+xml")).body(chart.svg()))
}

/// A picture.
pub(super) fn picture() -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(SchemaType::new(Type::String)).description(Some("An SVG document")).into()
}

async fn report() -> Result<&'static Report, Problem> {
    let made = web::block(calibration::report).await;
    let made = made.map_err(|_| Problem::new(DEFECT, "the report could not be made").cure("ask again"))?;
    made.map_err(Problem::from)
}

/// Whether Markdown is asked for, and JSON is not asked for before it.
fn wants_markdown(request: &HttpRequest) -> bool {
    let accepted = request.headers().get(ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kinds = accepted.split(',').map(|kind| kind.split(';').next().unwrap_or_default().trim());
    kinds.into_iter().find(|kind| ["text/markdown", "application/json", "application/*", "*/*"].contains(kind)) == Some("text/markdown")
}
