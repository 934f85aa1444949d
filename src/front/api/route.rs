//! A route: method, path, handler, and the words about it. The server and the document are both made of the same routes.

use actix_web::http::Method;
use actix_web::{Route as Handler, web};
use utoipa::ToSchema;
use utoipa::openapi::path::Parameter;
use utoipa::openapi::schema::Schema;
use utoipa::openapi::{RefOr, Required};

use super::answer::{Answer, Purpose, Shown};
use super::parameters;
use super::resource::{self, field};
use super::schemas::{Described, Schemas};

/// Where something answers.
pub(super) struct Route {
    /// The method.
    pub method: Method,
    /// The path below `/v1`.
    pub path: String,
    /// Makes the handler, once a worker.
    pub handler: fn() -> Handler,
    /// What is said about it.
    pub words: Words,
}

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
    pub text: String,
    /// The query parameters.
    pub query: fn() -> Vec<Parameter>,
    /// The body.
    pub body: Option<Body>,
    /// The status of the answer.
    pub status: u16,
    /// The answer.
    pub answer: fn(&mut Schemas) -> Option<RefOr<Schema>>,
    /// The operation that it does, as lists of operations carry it: its name and its schema.
    pub operation: Option<Named>,
}

impl Route {
    /// A route that takes nothing and answers with nothing.
    pub(super) fn new(method: Method, path: impl Into<String>, handler: fn() -> Handler, (id, tag, text): (&str, &'static str, &str)) -> Route {
        let words = Words { id: id.to_owned(), tag, text: text.to_owned(), query: Vec::new, body: None, status: 204, answer: |_| None, operation: None };
        Route { method, path: path.into(), handler, words }
    }
    /// It answers with 200 and a view.
    pub(super) fn answers<V: ToSchema>(self) -> Route {
        self.gives(200, |schemas| Some(schemas.refer::<V>()))
    }
    /// It answers with 200 and a view of which `fields` can choose a part.
    pub(super) fn shows<V: ToSchema>(self) -> Route {
        self.gives(200, |schemas| Some(schemas.view_or_part::<V>())).query(parameters::of_one)
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
        self.body(|schemas| schemas.operation::<O>(""))
    }
    /// It does an operation whose fields stand in the path.
    pub(super) fn stands_for<O: Described>(mut self) -> Route {
        self.words.operation = Some(|schemas| (O::NAME, schemas.whole_operation::<O>("")));
        self
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
        let list = Route::new(Method::GET, noun.path(""), || web::route().to(resource::list::<T>), (&format!("{one}_list"), T::PLURAL, &text));
        noun.add(list.lists::<T::View<'static>>());
        let text = format!("Reads {} {words}\n\nIt is named by id, number or name, tried in that order.", article(words));
        let get = Route::new(Method::GET, noun.one(""), || web::route().to(resource::get::<T>), (&format!("{one}_get"), T::PLURAL, &text));
        noun.add(get.shows::<T::View<'static>>());
        noun
    }
    /// `POST` on the list makes one.
    pub(super) fn create<O: Described<Output: Answer>>(mut self) -> Self {
        let route = self.operation::<O>(Method::POST, self.path(""), || web::route().to(resource::create::<T, O>), Purpose::Makes);
        self.add(route.does::<O>());
        self
    }
    /// `PATCH` on one changes it.
    pub(super) fn update<O: Described<Output: Answer>>(mut self) -> Self {
        let route = self.operation::<O>(Method::PATCH, self.one(""), || web::route().to(resource::act::<T, O, false>), Purpose::Changes);
        self.add(Self::with_body::<O>(route));
        self
    }
    /// `DELETE` on one deletes it.
    pub(super) fn delete<O: Described<Output: Answer>>(mut self) -> Self {
        let route = self.operation::<O>(Method::DELETE, self.one(""), || web::route().to(resource::delete::<T, O>), Purpose::Changes);
        self.add(route.query(|| parameters::of_operation::<O>(&field(T::NOUN))));
        self
    }
    /// `POST` on a verb below one does something with it.
    pub(super) fn action<O: Described<Output: Answer>>(mut self, verb: &str) -> Self {
        let route = self.operation::<O>(Method::POST, self.one(verb), || web::route().to(resource::act::<T, O, false>), Purpose::Changes);
        self.add(Self::with_body::<O>(route));
        self
    }
    /// `POST` on a verb below one makes something new of it.
    pub(super) fn makes<O: Described<Output: Answer>>(mut self, verb: &str) -> Self {
        let route = self.operation::<O>(Method::POST, self.one(verb), || web::route().to(resource::act::<T, O, true>), Purpose::Makes);
        self.add(Self::with_body::<O>(route));
        self
    }
    fn operation<O: Described<Output: Answer>>(&self, method: Method, path: String, handler: fn() -> Handler, purpose: Purpose) -> Route {
        let (id, text) = (O::NAME.replace(['.', '-'], "_"), super::schemas::description::<O>());
        let mut route = Route::new(method, path, handler, (&id, T::PLURAL, &text)).gives(O::Output::status(purpose, T::NOUN), O::Output::schema);
        route.words.operation = Some(|schemas| (O::NAME, schemas.whole_operation::<O>(&field(T::NOUN))));
        route
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
