//! Storage efficiency of volumes: what is reduced (the array acts upon it), and by which words ONTAP tells when (notes).

use serde_json::{Value, json};

use crate::body::{Body, Named};
use crate::collection::View;
use crate::kept;
use crate::model::{Container, Notes, Object, RecordKind, Reduction, Tenant};
use crate::refusal::{Outcome, Refusal};

/// When each kind of efficiency works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Words {
    pub(crate) dedupe: String,
    pub(crate) compression: String,
    pub(crate) compaction: String,
    pub(crate) cross_volume_dedupe: String,
}

/// Fields that are kept as they are given, and may be set only while efficiency is on.
const KEPT: [&str; 4] = ["efficiency.application_io_size", "efficiency.compression_type", "efficiency.storage_efficiency_mode", "efficiency.idcs_scanner.mode"];

impl Words {
    /// What an all-flash system does unless it is told otherwise.
    fn usual() -> Words {
        Words { dedupe: "both".into(), compression: "inline".into(), compaction: "inline".into(), cross_volume_dedupe: "both".into() }
    }
    fn none() -> Words {
        let none = || "none".to_owned();
        Words { dedupe: none(), compression: none(), compaction: none(), cross_volume_dedupe: none() }
    }
    /// Those of a volume. What the array does counts; notes only say when.
    pub(crate) fn of(container: &Container) -> Words {
        let usual = Words::usual();
        let noted = |name: &str| container.note(&format!("efficiency.{name}")).and_then(Value::as_str).map(str::to_owned);
        let acted = |on: bool, name: &str, usual: String| match noted(name) {
            _ if !on => "none".to_owned(),
            Some(word) if word != "none" => word,
            _ => usual,
        };
        let reduction = container.reduction;
        let told = |name: &str, on: bool| noted(name).unwrap_or_else(|| if on { "inline".to_owned() } else { "none".to_owned() });
        Words {
            dedupe: acted(reduction.deduplication, "dedupe", usual.dedupe),
            compression: acted(reduction.compression, "compression", usual.compression),
            compaction: told("compaction", reduction.is_on()),
            cross_volume_dedupe: if reduction.deduplication { told("cross_volume_dedupe", true) } else { "none".to_owned() },
        }
    }
    /// Whether anything works.
    pub(crate) fn is_on(&self) -> bool {
        [&self.dedupe, &self.compression, &self.compaction, &self.cross_volume_dedupe].into_iter().any(|word| word != "none")
    }
    /// What the array shall do.
    fn reduction(&self) -> Reduction {
        Reduction { deduplication: self.dedupe != "none", compression: self.compression != "none" }
    }
    fn notes(&self) -> Notes {
        let each = [
            ("dedupe", &self.dedupe),
            ("compression", &self.compression),
            ("compaction", &self.compaction),
            ("cross_volume_dedupe", &self.cross_volume_dedupe),
        ];
        each.into_iter().map(|(name, word)| (format!("efficiency.{name}"), json!(word))).collect()
    }
    /// After what a body says.
    fn after(&self, body: &Body) -> Words {
        let mut words = match body.text("efficiency.state") {
            Some("disabled") => return Words::none(),
            Some(_) if !self.is_on() => Words::usual(),
            _ => self.clone(),
        };
        let said = |name: &str| body.text(&format!("efficiency.{name}")).map(str::to_owned);
        let dedupe = said("dedupe");
        let cross = said("cross_volume_dedupe").or_else(|| dedupe.clone().filter(|word| word == "none"));
        for (place, word) in [
            (&mut words.dedupe, dedupe),
            (&mut words.compression, said("compression")),
            (&mut words.compaction, said("compaction")),
            (&mut words.cross_volume_dedupe, cross),
        ] {
            *place = word.unwrap_or_else(|| place.clone());
        }
        words
    }
}

/// What a body says of efficiency: the reduction, where it changes, and notes.
pub(crate) fn said(view: &View<'_>, container: Option<&Container>, svm: Option<&Tenant>, body: &Body) -> Outcome<(Option<Reduction>, Notes)> {
    if container.is_some() && !body.has("efficiency") {
        return Ok((None, Notes::new()));
    }
    let before = container.map_or_else(Words::usual, Words::of);
    let after = before.after(body);
    let rest = kept::said(body, &KEPT);
    let policy = policy(view, container.is_none(), svm, body)?;
    if !after.is_on() && container.is_some() && (!rest.is_empty() || policy.as_ref().is_some_and(|(_, note)| !note.is_null())) {
        return Err(Refusal::bad(6_881_332, "Operation is not enabled on the volume: enable its storage efficiency first.").at("efficiency"));
    }
    let mut notes = Notes::new();
    if container.is_none() || after != before {
        notes.extend(after.notes());
    }
    notes.extend(rest);
    notes.extend(policy);
    let reduction = Some(after.reduction()).filter(|reduction| container.is_none_or(|container| container.reduction != *reduction));
    Ok((reduction, notes))
}

/// The efficiency policy that is named, as a note; `auto` for a new volume.
fn policy(view: &View<'_>, is_new: bool, svm: Option<&Tenant>, body: &Body) -> Outcome<Option<(String, Value)>> {
    let name = "efficiency.policy".to_owned();
    let find = |named: &Named| kept::find(view.array, RecordKind::EfficiencyPolicy, named, svm);
    match body.named("efficiency.policy") {
        Some(named) if matches!(named.shown(), "-" | "none") => Ok(Some((name, Value::Null))),
        Some(named) => {
            let unknown = || Refusal::bad(6_881_345, format!("The efficiency policy \"{}\" does not exist.", named.shown())).at("efficiency.policy.name");
            find(&named).map(|record| Some((name, kept::reference(record)))).ok_or_else(unknown)
        }
        None if body.text("efficiency.policy.name") == Some("") => Ok(Some((name, Value::Null))),
        None if is_new => Ok(find(&Named { uuid: None, name: Some("auto".to_owned()) }).map(|record| (name, kept::reference(record)))),
        None => Ok(None),
    }
}

/// What is shown of a volume's efficiency.
pub(crate) fn record(view: &View<'_>, container: &Container) -> Value {
    let words = Words::of(container);
    let is_on = words.is_on();
    let policy = kept::record(view.array, container.note("efficiency.policy"));
    let (before, after) = (container.savings.before.get(), container.savings.after.get());
    let saved = before.saturating_sub(after);
    let percent = (saved * 100).checked_div(before).unwrap_or(0);
    #[expect(clippy::cast_precision_loss, reason = "a ratio that is shown")]
    let ratio = if after == 0 { 1.0 } else { before as f64 / after as f64 };
    let mut efficiency = json!({
        "state": if is_on { "enabled" } else { "disabled" }, "op_state": if is_on { "idle" } else { "disabled" },
        "dedupe": words.dedupe, "compression": words.compression, "compaction": words.compaction, "cross_volume_dedupe": words.cross_volume_dedupe,
        "compression_type": if words.compression == "none" { "none" } else { "adaptive" },
        "policy": {"name": policy.map_or("-", Object::name)}, "volume_path": format!("/vol/{}", container.name()),
        "storage_efficiency_mode": "default", "type": "regular", "auto_state": "auto", "schedule": "-", "has_savings": saved > 0, "ratio": ratio,
        "progress": "Idle", "logging_enabled": true,
        "space_savings": {"total": saved, "total_percent": percent},
    });
    if let Some(schedule) = policy.and_then(|policy| kept::record(view.array, policy.note("schedule"))) {
        efficiency["schedule"] = json!(schedule.name());
    }
    if before > 0 {
        // One kind alone has all of it; what two did together is not taken apart.
        let reduction = container.reduction;
        match (reduction.deduplication, reduction.compression) {
            (true, false) => efficiency["space_savings"]["dedupe"] = json!(saved),
            (false, true) => efficiency["space_savings"]["compression"] = json!(saved),
            _ => {}
        }
    }
    let mut record = json!({"efficiency": efficiency});
    kept::show(&mut record, container, &KEPT);
    record["efficiency"].take()
}
