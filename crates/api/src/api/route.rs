//! A route: method, path, handler, and the words about it. The server and the document are both made of the same routes.

use std::borrow::Cow;

use actix_web::http::Method;
use actix_web::{HttpRequest, web};
use utoipa::ToSchema;
use utoipa::openapi::path::Parameter;
use utoipa::openapi::schema::Schema;
use utoipa::openapi::{RefOr, Required};

use super::admission::Access;
use super::answer::{Answer, Purpose, Shown};
use super::noted::Noted;
use super::parameters;
use super::resource::{self, Answering, field};
use super::schemas::{Described, Schemas};
use crate::model::PolicySet;
use crate::ops::Operation;

/// Where something answers.
pub(super) struct Route {
    /// The method.
    pub method: Method,
    /// The path below `/v1`.
    pub path: String,
    /// What answers.
    pub handler: Handler,
    /// Whom it is for.
    pub access: Access,
    /// What is said about it.
    pub words: Words,
}

/// Answers a request, once it is known who asks and that it is for them.
pub(super) type Handler = fn(HttpRequest, web::Payload) -> Answering;

/// Makes the schema of an operation and tells its name.
pub(super) type Named = fn(&mut Schemas) -> (&'static str, RefOr<Schema>);

/// Makes the schema of a body and tells whether it must be there.
pub(super) type Body = fn(&mut Schemas) -> (RefOr<Schema>, Required);

/// What the document says about a route.
pub(super) struct Words {
    /// The operation's identifier: `pool_create`.
    pub id: String,
    /// The heading that it stands under.
    pub tag: &'static str,
    /// What it does: one sentence, and perhaps more behind an empty line.
    pub text: Text,
    /// The query parameters.
    pub query: fn() -> Vec<Parameter>,
    /// The body.
    pub body: Option<Body>,
    /// The status of the answer.
    pub status: u16,
    /// The answer.
    pub answer: fn(&mut Schemas) -> Option<RefOr<Schema>>,
    /// The media type of the answer.
    pub media: &'static str,
    /// Other media types that a client can ask for, all text.
    pub also: &'static [&'static str],
    /// Whether the answer shows one thing, whose tag it carries.
    pub tagged: bool,
    /// Whether the answer is left out when the client has it.
    pub conditional: bool,
    /// Whether the answer waits for something if that is wished.
    pub waits: bool,
    /// The operation that it does, as lists of operations carry it: its name and its schema.
    pub operation: Option<Named>,
}

/// Words that are written down, or said by an operation when somebody wants to read them: the server runs without.
#[derive(Clone, Debug)]
pub(super) enum Text {
    Written(Cow<'static, str>),
    Said(fn() -> String),
}

impl Text {
    /// Those of an operation.
    pub(super) fn of<O: Described>() -> Text {
        Text::Said(super::schemas::description::<O>)
    }
    /// The words.
    pub(super) fn read(&self) -> Cow<'_, str> {
        match self {
            Text::Written(text) => Cow::Borrowed(text),
            Text::Said(say) => Cow::Owned(say()),
        }
    }
}

impl From<&'static str> for Text {
    fn from(text: &'static str) -> Text {
        Text::Written(Cow::Borrowed(text))
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Text::Written(Cow::Owned(text))
    }
}

impl Route {
    /// A route that takes nothing and answers with nothing.
    pub(super) fn new(method: Method, path: impl Into<String>, handler: Handler, (id, tag, text): (&str, &'static str, impl Into<Text>)) -> Route {
        let words = Words {
            id: id.to_owned(),
            tag,
            text: text.into(),
            query: Vec::new,
            body: None,
            status: 204,
            answer: |_| None,
            media: "application/json",
            also: &[],
            tagged: false,
            conditional: false,
            waits: false,
            operation: None,
        };
        let path = path.into();
        Route { access: Access::usual(&method, &path), method, path, handler, words }
    }
    /// It is for these.
    pub(super) fn open_to(mut self, access: Access) -> Route {
        self.access = access;
        self
    }
    /// It is for whom the operation demands.
    fn demands<O: Operation>(self) -> Route {
        self.open_to(if O::DEMANDS_DEPEND { Access::Known } else { Access::Holds(PolicySet::of(O::POLICY)) })
    }
    /// It answers with 200 and a view.
    pub(super) fn answers<V: ToSchema>(self) -> Route {
        self.gives(200, |schemas| Some(schemas.refer::<V>()))
    }
    /// It answers with 200 and a view of which `fields` can choose a part.
    pub(super) fn shows<V: ToSchema>(self) -> Route {
        self.gives(200, |schemas| Some(schemas.view_or_part::<V>())).query(parameters::of_one).tagged()
    }
    /// Its answer carries the tag of what it shows.
    pub(super) fn tagged(mut self) -> Route {
        self.words.tagged = true;
        self
    }
    /// It answers with nothing when the client has what it shows.
    pub(super) fn conditional(mut self) -> Route {
        self.words.conditional = true;
        self
    }
    /// It waits if that is wished.
    pub(super) fn waits(mut self) -> Route {
        self.words.waits = true;
        self
    }
    /// It answers with 200 and a page of views.
    pub(super) fn lists<V: ToSchema>(self) -> Route {
        self.gives(200, |schemas| Some(schemas.page::<V>())).query(parameters::of_list::<V>)
    }
    /// It answers with that.
    pub(super) fn gives(mut self, status: u16, answer: fn(&mut Schemas) -> Option<RefOr<Schema>>) -> Route {
        (self.words.status, self.words.answer) = (status, answer);
        self
    }
    /// Its answer is of that media type.
    pub(super) fn written_as(mut self, media: &'static str) -> Route {
        self.words.media = media;
        self
    }
    /// Its answer is also of these, if a client wants it.
    pub(super) fn also_as(mut self, also: &'static [&'static str]) -> Route {
        self.words.also = also;
        self
    }
    /// It takes these query parameters.
    pub(super) fn query(mut self, query: fn() -> Vec<Parameter>) -> Route {
        self.words.query = query;
        self
    }
    /// It takes a body of that type.
    pub(super) fn takes<B: ToSchema>(self) -> Route {
        self.body(|schemas| (schemas.refer::<B>(), Required::True))
    }
    /// It takes a body with the fields of an operation that names nothing in the path.
    pub(super) fn does<O: Described>(mut self) -> Route {
        self.words.operation = Some(|schemas| (O::NAME, schemas.whole_operation::<O>("")));
        self.demands::<O>().body(|schemas| schemas.operation::<O>(""))
    }
    /// It does an operation whose fields stand in the path.
    pub(super) fn stands_for<O: Described>(mut self) -> Route {
        self.words.operation = Some(|schemas| (O::NAME, schemas.whole_operation::<O>("")));
        self.demands::<O>()
    }
    /// It takes a body.
    pub(super) fn body(mut self, body: Body) -> Route {
        self.words.body = Some(body);
        self
    }
}

/// The routes of a noun, one operation after the other.
pub(super) struct NounRoutes<'m, T> {
    routes: &'m mut Vec<Route>,
    noun: std::marker::PhantomData<T>,
}

impl<'m, T: Shown> NounRoutes<'m, T> {
    /// Every noun can be listed and read.
    pub(super) fn begin(routes: &'m mut Vec<Route>) -> NounRoutes<'m, T> {
        let mut noun = NounRoutes { routes, noun: std::marker::PhantomData };
        let (one, words) = (field(T::NOUN), T::NOUN.words());
        let text = format!("Lists {}\n\nIn order of number unless `sort` says otherwise.", plural_words::<T>());
        let list = Route::new(Method::GET, noun.path(""), |request, _| Box::pin(resource::list::<T>(request)), (&format!("{one}_list"), T::PLURAL, text));
        noun.add(list.lists::<Noted<'static, T::View<'static>>>());
        let text = format!("Reads {} {words}\n\nIt is named by id, number or name, tried in that order.", article(words));
        let get = Route::new(Method::GET, noun.one(""), |request, _| Box::pin(resource::get::<T>(request)), (&format!("{one}_get"), T::PLURAL, text));
        let get = get.shows::<Noted<'static, T::View<'static>>>();
        noun.add(if T::IS_JOB { get.waits() } else { get.conditional() });
        noun
    }
    /// Whom listing them and reading one is for, when not for who sees the state of the array.
    pub(super) fn readable_by(self, list: Access, one: Access) -> Self {
        self.routes.iter_mut().rev().zip([one, list]).for_each(|(route, access)| route.access = access);
        self
    }
    /// `POST` on the list makes one.
    pub(super) fn create<O: Described<Output: Answer>>(mut self) -> Self {
        let route = self.operation::<O>(Method::POST, self.path(""), resource::create::<T, O>, Purpose::Makes);
        self.add(route.does::<O>());
        self
    }
    /// `PATCH` on one changes it.
    pub(super) fn update<O: Described<Output: Answer>>(mut self) -> Self {
        let route = self.operation::<O>(Method::PATCH, self.one(""), resource::act::<T, O, false>, Purpose::Changes);
        self.add(Self::with_body::<O>(route));
        self
    }
    /// `DELETE` on one deletes it.
    pub(super) fn delete<O: Described<Output: Answer>>(mut self) -> Self {
        let route = self.operation::<O>(Method::DELETE, self.one(""), resource::delete::<T, O>, Purpose::Changes);
        self.add(route.query(|| parameters::of_operation::<O>(&field(T::NOUN))));
        self
    }
    /// `POST` on a verb below one does something with it.
    pub(super) fn action<O: Described<Output: Answer>>(mut self, verb: &str) -> Self {
        let route = self.operation::<O>(Method::POST, self.one(verb), resource::act::<T, O, false>, Purpose::Changes);
        self.add(Self::with_body::<O>(route));
        self
    }
    /// `POST` on a verb below one makes something new of it.
    pub(super) fn makes<O: Described<Output: Answer>>(mut self, verb: &str) -> Self {
        let route = self.operation::<O>(Method::POST, self.one(verb), resource::act::<T, O, true>, Purpose::Makes);
        self.add(Self::with_body::<O>(route));
        self
    }
    fn operation<O: Described<Output: Answer>>(&self, method: Method, path: String, handler: Handler, purpose: Purpose) -> Route {
        let id = O::NAME.replace(['.', '-'], "_");
        let mut route = Route::new(method, path, handler, (&id, T::PLURAL, Text::of::<O>())).gives(O::Output::status(purpose, T::NOUN), O::Output::schema);
        route.words.operation = Some(|schemas| (O::NAME, schemas.whole_operation::<O>(&field(T::NOUN))));
        (route.words.tagged, route.words.waits) = (route.words.status != 204, route.words.status == 202);
        route.demands::<O>()
    }
    fn with_body<O: Described>(route: Route) -> Route {
        route.body(|schemas| schemas.operation::<O>(&field(T::NOUN)))
    }
    fn path(&self, rest: &str) -> String {
        format!("/arrays/{{array}}/{}{rest}", T::PLURAL)
    }
    fn one(&self, verb: &str) -> String {
        let one = self.path(&format!("/{{{}}}", field(T::NOUN)));
        if verb.is_empty() { one } else { format!("{one}/{verb}") }
    }
    fn add(&mut self, route: Route) {
        self.routes.push(route);
    }
}

/// The plural in running text.
fn plural_words<T: Shown>() -> String {
    T::PLURAL.replace('-', " ").replace("raid", "RAID").replace("lun", "LUN")
}

fn article(words: &str) -> &'static str {
    if words.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" }
}
