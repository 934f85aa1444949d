//! How ONTAP says no: a status, a number, a message, and the field that is meant.

use actix_web::http::StatusCode;
use serde_json::{Value, json};

use crate::body::Purpose;

/// A refusal in ONTAP's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    /// ONTAP's number.
    pub(crate) code: u32,
    pub(crate) message: String,
    /// The field, in the words of the API.
    pub(crate) target: Option<String>,
}

/// What a call answers with.
pub(crate) type Outcome<T> = Result<T, Refusal>;

impl Refusal {
    pub(crate) fn new(status: StatusCode, code: u32, message: impl Into<String>) -> Refusal {
        Refusal { status, code, message: message.into(), target: None }
    }
    /// The request says something wrong.
    pub(crate) fn bad(code: u32, message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, code, message)
    }
    /// It contradicts what is there.
    pub(crate) fn conflict(code: u32, message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::CONFLICT, code, message)
    }
    /// What the path names is not there.
    pub(crate) fn not_found() -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, 4, "entry doesn't exist")
    }
    /// What the path names is not there; a number of its own.
    pub(crate) fn missing(code: u32, message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, code, message)
    }
    /// The API has nothing of the kind.
    pub(crate) fn no_such_api() -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, 3, "API not found")
    }
    /// The API has it, but not with this method.
    pub(crate) fn method_not_allowed(method: &str) -> Refusal {
        Refusal::new(StatusCode::METHOD_NOT_ALLOWED, 3, format!("Method \"{method}\" is not supported by this resource."))
    }
    /// The account may not do that.
    pub(crate) fn not_authorized() -> Refusal {
        Refusal::new(StatusCode::FORBIDDEN, 6, "not authorized for that command")
    }
    /// The request names another SVM than the one into which it goes.
    pub(crate) fn other_svm(field: &str) -> Refusal {
        let message = "The specified \"svm.uuid\" and \"svm.name\" refer to different SVMs than the one into which the request goes.";
        Refusal::bad(2_621_706, message).at(field)
    }
    /// A field is required.
    pub(crate) fn required(field: &str) -> Refusal {
        Refusal::bad(262_177, format!("Missing required value for field \"{field}\".")).at(field)
    }
    /// A field that is not there, or not here.
    pub(crate) fn unexpected(field: &str) -> Refusal {
        Refusal::bad(262_179, format!("Unexpected argument \"{field}\".")).at(field)
    }
    /// A value that a field does not take.
    pub(crate) fn bad_value(field: &str, value: &Value, expected: &str) -> Refusal {
        let shown = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        Refusal::bad(262_185, format!("Invalid value \"{shown}\" for field \"{field}\". It must be {expected}.")).at(field)
    }
    /// A word that a field does not know.
    pub(crate) fn no_such_word(field: &str, value: &str, known: &str) -> Refusal {
        Refusal::bad(262_197, format!("The value \"{value}\" is invalid for field \"{field}\" (one of: {known}).")).at(field)
    }
    /// A field that is set at other times only.
    pub(crate) fn not_here(field: &str, purpose: Purpose) -> Refusal {
        let code = if purpose == Purpose::Create { 262_196 } else { 262_203 };
        Refusal::bad(code, format!("Field \"{field}\" cannot be set in this operation.")).at(field)
    }
    /// Says which field is meant.
    #[must_use]
    pub(crate) fn at(mut self, field: &str) -> Refusal {
        self.target = Some(field.to_owned());
        self
    }
    /// Says which of several objects that a body lists is meant.
    #[must_use]
    pub(crate) fn of_member(self, index: usize) -> Refusal {
        let member = format!("records[{index}]");
        let target = Some(self.target.map_or_else(|| member.clone(), |field| format!("{member}.{field}")));
        Refusal { message: format!("{member}: {}", self.message), target, ..self }
    }
    /// What is wrong, as answers and jobs say it.
    pub(crate) fn error(&self) -> Value {
        let mut error = json!({"message": self.message, "code": self.code.to_string()});
        if let Some(target) = &self.target {
            error["target"] = json!(target);
        }
        error
    }
    /// As it is sent.
    pub(crate) fn body(&self) -> Value {
        json!({"error": self.error()})
    }
}
