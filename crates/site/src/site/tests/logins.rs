//! Who is let in, for how long, and who is kept out.

use std::sync::Arc;

use serde_json::json;

use crate::engine::ClockMode;
use crate::model::OpError;
use crate::ops::AnyOperation;
use crate::site::test_site::{HeldTime, group, lab, somebody, world};
use crate::site::{ChangeError, Credential, Denial, Hosted, Identity, Journal, Reception, Recognition, Site, VENDOR_PASSWORD, checkpoint, replay, restore};

fn basic(user: &str, password: &str) -> Credential {
    Credential::Basic { user: user.into(), password: password.into() }
}

fn done(hosted: &Hosted, operation: serde_json::Value) {
    let operation: AnyOperation = serde_json::from_value(operation).expect("an operation");
    hosted.batch(somebody(), vec![operation]).expect("nothing speaks against it");
}

/// A guarded site with the array `lab`, whose user mona may only read; the password of both is `letters1`.
fn guarded(mode: ClockMode) -> (Arc<HeldTime>, Arc<Site>, Arc<Hosted>) {
    let (time, site, hosted) = lab(world(mode), Journal::BUDGET);
    assert!(site.set_password("letters1"));
    done(&hosted, json!({"user.create": {"name": "mona", "role": "Monitor", "password": "letters1"}}));
    (time, site, hosted)
}

fn prove(site: &Site, user: &str, password: &str) -> Result<String, Denial> {
    site.prove(Some("lab"), &basic(user, password)).map(|identity| identity.user().to_owned())
}

#[test]
fn a_password_is_hashed_once_and_known_again_until_it_changes() {
    let (_time, site, hosted) = guarded(ClockMode::Manual);
    let mona = basic("mona", "letters1");
    assert_eq!(site.recognise(Some("lab"), &mona), Recognition::Unproven);
    let identity = site.prove(Some("lab"), &mona).expect("it is right");
    assert_eq!(site.recognise(Some("lab"), &mona), Recognition::Known(identity));
    assert_eq!(site.recognise(Some("lab"), &basic("mona", "letters2")), Recognition::Unproven);
    assert_eq!(site.recognise(None, &mona), Recognition::Unproven, "the server does not know her");
    done(&hosted, json!({"user.update": {"user": "mona", "password": "letters2"}}));
    assert_eq!(site.recognise(Some("lab"), &mona), Recognition::Unproven);
    assert_eq!((prove(&site, "mona", "letters1"), prove(&site, "mona", "letters2")), (Err(Denial::Wrong), Ok("mona".into())));
    done(&hosted, json!({"user.update": {"user": "mona", "enabled": false}}));
    assert_eq!(prove(&site, "mona", "letters2"), Err(Denial::Wrong));
}

#[test]
fn the_servers_user_comes_first_and_is_known_without_a_hash() {
    let (_time, site, hosted) = guarded(ClockMode::Manual);
    for array in [None, Some("lab"), Some("nowhere")] {
        assert_eq!(site.recognise(array, &basic("admin", "letters1")), Recognition::Known(Identity::server()), "{array:?}");
        assert_eq!(site.recognise(array, &Credential::Nothing), Recognition::Denied(Denial::Missing));
    }
    done(&hosted, json!({"user.update": {"user": "admin", "password": "0ther-word"}}));
    assert_eq!(site.recognise(Some("lab"), &basic("admin", "letters1")), Recognition::Known(Identity::server()));
    let of_array = site.prove(Some("lab"), &basic("admin", "0ther-word")).expect("the array's own admin");
    assert!(!of_array.is_server() && of_array.array() == Some("lab"));
    let root = site.prove(Some("lab"), &basic("root", "letters1")).expect("it has the password of the server");
    assert!(!root.is_server());
}

#[test]
fn without_a_password_everybody_is_the_servers_user_and_the_first_users_are_nobody() {
    let (_time, site, _) = lab(world(ClockMode::Manual), Journal::BUDGET);
    assert_eq!(site.recognise(None, &Credential::Nothing), Recognition::Known(Identity::server()));
    assert_eq!(site.recognise(None, &basic("admin", "whatever")), Recognition::Known(Identity::server()));
    assert_eq!(prove(&site, "root", ""), Err(Denial::Wrong));
    for _ in 0..9 {
        assert_eq!(prove(&site, "root", "whatever"), Err(Denial::Wrong), "what cannot be guessed is not locked");
    }
}

#[test]
fn at_the_front_of_a_vendor_nobody_comes_in_without_a_password() {
    let (_time, site, hosted) = lab(world(ClockMode::Manual), Journal::BUDGET);
    let recognise = |credential: &Credential| site.recognise_at(Reception::Vendor, Some("lab"), credential);
    let prove = |user: &str, password: &str| site.prove_at(Reception::Vendor, Some("lab"), &basic(user, password)).map(|identity| identity.user().to_owned());
    assert_eq!(recognise(&Credential::Nothing), Recognition::Denied(Denial::Missing));
    assert_eq!(recognise(&basic("admin", VENDOR_PASSWORD)), Recognition::Known(Identity::server()), "without a hash");
    for (user, password) in [("admin", "whatever"), ("admin", ""), ("root", VENDOR_PASSWORD), ("root", ""), ("nobody", VENDOR_PASSWORD)] {
        assert_eq!(recognise(&basic(user, password)), Recognition::Unproven, "{user}");
        assert_eq!(prove(user, password), Err(Denial::Wrong), "{user}");
    }
    done(&hosted, json!({"user.create": {"name": "mona", "role": "Monitor", "password": "w0rd-of-mona"}}));
    assert_eq!(recognise(&basic("mona", "w0rd-of-mona")), Recognition::Unproven);
    assert_eq!(prove("mona", "w0rd-of-mona"), Ok("mona".into()));
    assert!(matches!(recognise(&basic("mona", "w0rd-of-mona")), Recognition::Known(mona) if !mona.is_server()), "a hash once is enough");
    assert_eq!(site.recognise(Some("lab"), &Credential::Nothing), Recognition::Known(Identity::server()), "our own fronts stay open");
    assert!(site.set_password("letters1"));
    assert_eq!(prove("admin", VENDOR_PASSWORD), Err(Denial::Wrong), "the default counts no more");
    assert_eq!((prove("admin", "letters1"), prove("root", "letters1")), (Ok("admin".into()), Ok("root".into())));
}

#[test]
fn five_failures_in_a_row_lock_a_user_for_a_quarter_of_an_hour_of_virtual_time() {
    let (time, site, hosted) = guarded(ClockMode::Manual);
    let fail = |times: u32| (0..times).for_each(|_| assert_eq!(prove(&site, "mona", "guess"), Err(Denial::Wrong)));
    fail(4);
    assert_eq!(prove(&site, "mona", "letters1"), Ok("mona".into()), "a right password begins the count anew");
    fail(4);
    assert!(hosted.read(|world| world.array.users.iter().all(|user| user.lock.is_none())));
    fail(1);
    let locked = Err(Denial::Locked { user: "mona".into() });
    assert_eq!((prove(&site, "mona", "letters1"), prove(&site, "mona", "guess")), (locked.clone(), locked.clone()));
    time.pass(3600);
    assert_eq!(prove(&site, "mona", "letters1"), locked, "the array's clock stands");
    done(&hosted, json!({"clock.advance": {"by": "14m 59s"}}));
    assert_eq!(prove(&site, "mona", "letters1"), locked);
    done(&hosted, json!({"clock.advance": {"by": "1s"}}));
    assert_eq!(prove(&site, "mona", "letters1"), Ok("mona".into()));
    let told =
        hosted.read(|world| world.array.events.iter().filter(|event| event.code == "user_locked").map(|event| event.message.clone()).collect::<Vec<_>>());
    assert_eq!(told, ["user 'mona' is locked until 2026-01-01T00:15:00Z (5 failed logins in a row)"]);
    let kept = hosted.read(checkpoint).expect("it can be written");
    assert_eq!(hosted.journal(replay).map(|world| checkpoint(&world)), Ok(Ok(kept)), "lock-outs are in the journal");
}

#[test]
fn a_lock_without_an_end_is_lifted_by_hand_and_a_policy_can_do_without() {
    let (_time, site, hosted) = guarded(ClockMode::Manual);
    done(&hosted, json!({"password-policy.update": {"lockout_failures": 1, "lockout_minutes": 0}}));
    assert_eq!(prove(&site, "mona", "guess"), Err(Denial::Wrong));
    done(&hosted, json!({"clock.advance": {"by": "3650d"}}));
    assert_eq!(prove(&site, "mona", "letters1"), Err(Denial::Locked { user: "mona".into() }));
    done(&hosted, json!({"user.update": {"user": "mona", "locked": false}}));
    assert_eq!(prove(&site, "mona", "letters1"), Ok("mona".into()));
    done(&hosted, json!({"password-policy.update": {"lockout_failures": 0}}));
    for _ in 0..9 {
        assert_eq!(prove(&site, "mona", "guess"), Err(Denial::Wrong));
    }
    assert_eq!(prove(&site, "mona", "letters1"), Ok("mona".into()));
}

#[test]
fn ten_failures_in_a_row_lock_the_servers_user_for_a_minute_of_wall_time() {
    let (time, site, _) = guarded(ClockMode::Manual);
    let prove = |password: &str| site.prove(None, &basic("admin", password)).map(|identity| identity.is_server());
    let token = site.open_session(&Identity::server()).expect("random bytes").token;
    for _ in 0..10 {
        assert_eq!(prove("guess"), Err(Denial::Wrong));
    }
    let locked = Err(Denial::Locked { user: "admin".into() });
    assert_eq!((prove("letters1"), prove("guess")), (locked.clone(), locked.clone()));
    assert!(matches!(site.recognise(None, &Credential::Bearer(token)), Recognition::Known(_)), "who is in stays in");
    time.pass(59);
    assert_eq!(prove("letters1"), locked);
    time.pass(1);
    assert_eq!(prove("letters1"), Ok(true));
}

#[test]
fn a_password_grows_old_in_virtual_time() {
    let (_time, site, hosted) = guarded(ClockMode::Manual);
    done(&hosted, json!({"password-policy.update": {"age_days_max": 90}}));
    done(&hosted, json!({"clock.advance": {"by": "89d"}}));
    assert_eq!(prove(&site, "mona", "letters1"), Ok("mona".into()));
    done(&hosted, json!({"clock.advance": {"by": "1d"}}));
    assert_eq!(prove(&site, "mona", "letters1"), Err(Denial::PasswordExpired { user: "mona".into() }));
    assert_eq!(prove(&site, "mona", "guess"), Err(Denial::Wrong), "only who knows it learns that it is old");
    assert_eq!(prove(&site, "root", "letters1"), Ok("root".into()), "the server's password does not age");
    done(&hosted, json!({"user.update": {"user": "mona", "password": "letters1"}}));
    assert_eq!(prove(&site, "mona", "letters1"), Ok("mona".into()));
}

#[test]
fn a_token_lasts_half_an_hour_of_wall_time() {
    let (time, site, _) = guarded(ClockMode::Manual);
    let open = |user: &str, password: &str| {
        let identity = site.prove(Some("lab"), &basic(user, password)).expect("it is right");
        Credential::Bearer(site.open_session(&identity).expect("random bytes").token)
    };
    let user = |array: Option<&str>, token: &Credential| site.prove(array, token).map(|identity| identity.user().to_owned());
    let (server, mona) = (open("admin", "letters1"), open("mona", "letters1"));
    time.pass(29 * 60 + 59);
    assert_eq!((user(Some("lab"), &server), user(None, &server)), (Ok("admin".into()), Ok("admin".into())));
    assert_eq!((user(Some("lab"), &mona), user(None, &mona)), (Ok("mona".into()), Err(Denial::TokenInvalid)), "hers is of one array");
    time.pass(1);
    assert_eq!((user(Some("lab"), &server), user(Some("lab"), &mona)), (Err(Denial::TokenInvalid), Err(Denial::TokenInvalid)));
}

#[test]
fn a_token_dies_with_the_password_the_user_and_the_array() {
    for change in [
        json!({"user.update": {"user": "mona", "password": "letters2"}}),
        json!({"user.update": {"user": "mona", "enabled": false}}),
        json!({"user.lock": {"user": "mona"}}),
        json!({"user.delete": {"user": "mona"}}),
    ] {
        let (_time, site, hosted) = guarded(ClockMode::Manual);
        let identity = site.prove(Some("lab"), &basic("mona", "letters1")).expect("it is right");
        let token = Credential::Bearer(site.open_session(&identity).expect("random bytes").token);
        let before = hosted.read(checkpoint).expect("it can be written");
        assert!(matches!(site.recognise(Some("lab"), &token), Recognition::Known(_)));
        done(&hosted, change.clone());
        assert_eq!(site.recognise(Some("lab"), &token), Recognition::Denied(Denial::TokenInvalid), "{change}");
        assert!(site.sessions(Some("lab")).is_empty(), "{change}");
        site.remove("lab").expect("it is there");
        site.create("lab", restore(&before).expect("it was written")).expect("a free name");
        assert_eq!(site.recognise(Some("lab"), &token), Recognition::Denied(Denial::TokenInvalid), "another array of that name knows no sessions");
        assert_eq!(site.recognise(Some("lab"), &basic("mona", "letters1")), Recognition::Unproven, "nor what was proven");
    }
}

#[test]
fn what_a_user_may_not_do_is_refused_before_anything_is_looked_at() {
    let (_time, site, hosted) = guarded(ClockMode::Manual);
    let mona = site.prove(Some("lab"), &basic("mona", "letters1")).expect("it is right");
    let actor = || mona.actor("api", "a test".into());
    let refusal = hosted.execute(actor(), group("RG0"), |_, _| ()).expect_err("she may only look");
    let ChangeError::Refused(OpError::Forbidden { user, role, policy, doing }) = &refusal else { panic!("{refusal}") };
    assert_eq!((user.as_str(), role.as_str(), policy.name(), doing.as_str()), ("mona", "Monitor", "raid_group_management", "raid-group.create"));
    let list = vec![group("RG0").into()];
    assert!(
        matches!(hosted.batch(actor(), list), Err(ChangeError::Refused(OpError::InList { index: 0, cause, .. })) if matches!(*cause, OpError::Forbidden { .. }))
    );
    assert_eq!(hosted.journal(|journal| journal.entries().len()), 1, "nothing but her making");
    done(&hosted, json!({"user.update": {"user": "mona", "role": "Admin"}}));
    hosted.execute(actor(), group("RG0"), |_, _| ()).expect("her role has changed");
    done(&hosted, json!({"user.delete": {"user": "mona"}}));
    assert!(
        matches!(hosted.execute(actor(), group("RG1"), |_, _| ()), Err(ChangeError::Refused(OpError::Forbidden { .. }))),
        "who is gone may do nothing more"
    );
}

#[test]
fn a_list_grants_only_what_its_actor_may_grant_at_that_moment() {
    let (_time, site, hosted) = guarded(ClockMode::Manual);
    done(&hosted, json!({"user.create": {"name": "anna", "role": "AccountAdmin", "password": "letters1"}}));
    let anna = site.prove(Some("lab"), &basic("anna", "letters1")).expect("it is right").actor("api", "a test".into());
    let own = serde_json::from_value(json!({"user.update": {"user": "anna", "role": "Admin"}})).expect("an operation");
    hosted.batch(anna, vec![own, group("RG0").into()]).expect("from then on she may");
}
