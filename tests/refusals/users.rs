//! Users, roles and the password policy.

use arrayplane::model::{Object, Place};
use arrayplane::ops::{Actor, Authority, World};
use serde_json::{Value, json};

use super::ladder::{Ladder, Refusal};
use crate::given;

pub(super) fn ladders() -> Vec<Refusal> {
    let users = [user_create(), user_update(), user_lock(), user_delete()].concat();
    let roles = [role_create(), role_update(), role_delete()].concat();
    [users, roles, password_policy_update()].concat()
}

#[test]
fn users_roles_and_the_password_policy_refuse_in_the_documented_order() {
    ladders();
}

/// The users admin and root (Admin), boss (Keeper, which is of its own) and mona (Monitor), whose password is `letters1`.
fn world() -> World {
    let operations = [
        json!({"role.create": {"name": "Keeper", "policies": ["user_management"]}}),
        json!({"user.create": {"name": "boss", "role": "Keeper", "password": "letters1"}}),
        json!({"user.create": {"name": "mona", "role": "Monitor", "password": "letters1"}}),
        json!({"password-policy.update": {"history": 2}}),
    ];
    given::with("eternus-af250", &operations)
}

/// Nobody but boss manages users.
fn only_boss() -> World {
    let mut world = world();
    for user in ["admin", "root"] {
        given::done(&mut world, &json!({"user.delete": {"user": user}}));
    }
    world
}

fn user_create() -> Vec<Refusal> {
    let mut world = world();
    world.array.personality.accounts.users = 4;
    let long = json!({"password": format!("1{}", "x".repeat(64))});
    let weak = ("value_invalid", "user", "password");
    Ladder::new(world, "user.create", json!({"name": "a:b", "role": "Nobody", "password": "short1"}))
        .refused(("not_found", "role", "role"), json!({"role": "Monitor"}))
        .refused(("name_invalid", "user", "name"), json!({"name": "mona"}))
        .refused(("name_taken", "user", "name"), json!({"name": "bob"}))
        .also(weak, long)
        .also(weak, json!({"password": "letters!"}))
        .also(weak, json!({"password": "12345678"}))
        .refused(weak, json!({"password": "letters1"}))
        .refused_until(("limit_reached", "user", ""), |world| world.array.personality.accounts.users = 5)
        .done()
}

fn user_update() -> Vec<Refusal> {
    let request = json!({"user": "X", "role": "X", "password": "short1", "locked": true, "enabled": false});
    Ladder::new(only_boss(), "user.update", request)
        .refused(("not_found", "user", ""), json!({"user": "boss"}))
        .refused(("not_found", "role", "role"), json!({"role": "Keeper"}))
        .refused(("value_invalid", "user", "password"), json!({"password": "letters1"}))
        .refused(("value_invalid", "user", "password"), json!({"password": "letters2"}))
        .refused(("value_invalid", "user", "locked"), json!({"locked": false}))
        .also(("last_administrator", "user", ""), json!({"enabled": null, "role": "Monitor"}))
        .refused_before(("last_administrator", "user", ""), [another_keeper()])
        .done()
}

fn another_keeper() -> Value {
    json!({"user.update": {"user": "mona", "role": "Keeper"}})
}

fn user_lock() -> Vec<Refusal> {
    let mut world = world();
    given::done(&mut world, &json!({"user.lock": {"user": "mona"}}));
    Ladder::new(world, "user.lock", json!({"user": "X"}))
        .refused(("not_found", "user", ""), json!({"user": "mona"}))
        .refused_before(("wrong_state", "user", ""), [json!({"clock.advance": {"by": "15m"}})])
        .done()
}

fn user_delete() -> Vec<Refusal> {
    let world = only_boss();
    let boss = world.array.users.find("boss", Place::Target).expect("there is one").key();
    let boss = Actor::new("test", "boss", "a test").by(Authority::User(boss));
    Ladder::new(world, "user.delete", json!({"user": "X"}))
        .refused(("not_found", "user", ""), json!({"user": "boss"}))
        .refused_to(&boss, ("own_user", "user", ""))
        .refused_before(("last_administrator", "user", ""), [another_keeper()])
        .done()
}

fn role_create() -> Vec<Refusal> {
    let mut world = world();
    world.array.personality.accounts.custom_roles = 1;
    Ladder::new(world, "role.create", json!({"name": "seventeen letters", "policies": []}))
        .refused(("name_invalid", "role", "name"), json!({"name": "Monitor"}))
        .refused(("name_taken", "role", "name"), json!({"name": "Mapper"}))
        .refused(("missing", "role", "policies"), json!({"policies": ["emulation"]}))
        .refused(("value_invalid", "role", "policies"), json!({"policies": ["host_interface_management"]}))
        .refused_until(("limit_reached", "role", ""), |world| world.array.personality.accounts.custom_roles = 2)
        .done()
}

fn role_update() -> Vec<Refusal> {
    Ladder::new(only_boss(), "role.update", json!({"role": "X", "name": "a,b", "policies": []}))
        .refused(("not_found", "role", ""), json!({"role": "Admin"}))
        .refused(("not_supported", "role", "role"), json!({"role": "Keeper"}))
        .refused(("name_invalid", "role", "name"), json!({"name": "Admin"}))
        .refused(("name_taken", "role", "name"), json!({"name": "Reader"}))
        .refused(("missing", "role", "policies"), json!({"policies": ["emulation"]}))
        .refused(("value_invalid", "role", "policies"), json!({"policies": ["status_display"]}))
        .refused_before(("last_administrator", "user", ""), [json!({"user.update": {"user": "mona", "role": "AccountAdmin"}})])
        .done()
}

fn role_delete() -> Vec<Refusal> {
    Ladder::new(world(), "role.delete", json!({"role": "X"}))
        .refused(("not_found", "role", ""), json!({"role": "Monitor"}))
        .refused(("not_supported", "role", "role"), json!({"role": "Keeper"}))
        .refused_before(("in_use", "role", ""), [json!({"user.delete": {"user": "boss"}})])
        .done()
}

fn password_policy_update() -> Vec<Refusal> {
    let request = json!({"length_min": 65, "age_days_max": 3651, "history": 25, "lockout_failures": 101, "lockout_minutes": 10081});
    Ladder::new(world(), "password-policy.update", request)
        .also(("out_of_range", "user", "length_min"), json!({"length_min": 0}))
        .refused(("out_of_range", "user", "length_min"), json!({"length_min": 64}))
        .refused(("out_of_range", "user", "age_days_max"), json!({"age_days_max": 3650}))
        .refused(("out_of_range", "user", "history"), json!({"history": 24}))
        .refused(("out_of_range", "user", "lockout_failures"), json!({"lockout_failures": 100}))
        .refused(("out_of_range", "user", "lockout_minutes"), json!({"lockout_minutes": 0}))
        .done()
}
