//! What Gardez says about itself in XBoard's protocol.

use super::reply::{FeatureValue, Reply};
use crate::ENGINE_NAME;
use engine::options::{Kind, Spec, TABLE, Value};

/// The name of the option that lets the engine give up. It exists only here, since in UCI an engine cannot.
pub(super) const RESIGN: &str = "Resign";

/// The variants the engine plays.
pub(super) const VARIANTS: [&str; 2] = ["normal", "fischerandom"];

/// Options that have a command of their own in this protocol, or mean something only in UCI.
const NOT_OFFERED: [&str; 6] =
    ["Hash", "Threads", "Ponder", "UCI_Chess960", "UCI_ShowWDL", "UCI_AnalyseMode"];

/// The lines that answer `protover`.
pub(super) fn lines() -> Vec<Reply> {
    let number = |name: &str, value| (name.to_owned(), FeatureValue::Number(value));
    let text = |name: &str, value: &str| (name.to_owned(), FeatureValue::Text(value.to_owned()));
    let mut lines = vec![
        Reply::Features(vec![number("done", 0)]),
        Reply::Features(vec![
            text("myname", ENGINE_NAME),
            text("variants", &VARIANTS.join(",")),
            text("egt", "syzygy"),
        ]),
    ];
    let switches = [
        ("ping", 1),
        ("setboard", 1),
        ("usermove", 1),
        ("analyze", 1),
        ("time", 1),
        ("reuse", 1),
        ("playother", 1),
        ("colors", 0),
        ("sigint", 0),
        ("sigterm", 0),
        ("san", 0),
        ("debug", 1),
        ("draw", 1),
        ("nps", 1),
        ("memory", 1),
        ("smp", 1),
        ("exclude", 1),
    ];
    lines.push(Reply::Features(switches.iter().map(|&(name, value)| number(name, value)).collect()));
    let own = format!("{RESIGN} -check 1");
    let offered = TABLE.iter().filter(|spec| !NOT_OFFERED.contains(&spec.name));
    let options = offered.map(describe).chain([own]);
    lines.extend(options.map(|option| Reply::Features(vec![text("option", &option)])));
    lines.push(Reply::Features(vec![number("done", 1)]));
    lines
}

fn describe(spec: &Spec) -> String {
    let (name, default) = (spec.name, spec.default());
    match spec.kind {
        Kind::Check => format!("{name} -check {}", i32::from(default == Value::Check(true))),
        Kind::Spin { min, max } => format!("{name} -spin {default} {min} {max}"),
        Kind::Combo { choices } => {
            let default = default.to_string();
            let mark = |choice: &&str| format!("{}{choice}", if *choice == default { "*" } else { "" });
            format!("{name} -combo {}", choices.iter().map(mark).collect::<Vec<_>>().join(" /// "))
        }
        Kind::Text => format!("{name} -string {default}"),
        Kind::Button => format!("{name} -button"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_come_from_the_one_table() {
        let lines: Vec<String> = lines().iter().map(ToString::to_string).collect();
        for expected in [
            "feature option=\"MultiPV -spin 1 1 256\"",
            "feature option=\"Clear Hash -button\"",
            "feature option=\"Search -combo *pvs /// mtdf\"",
            "feature option=\"SyzygyPath -string \"",
            "feature option=\"Resign -check 1\"",
        ] {
            assert!(lines.iter().any(|line| line == expected), "{expected} in {lines:?}");
        }
        assert!(!lines.iter().any(|line| line.contains("Hash -spin")));
        assert_eq!(lines.last().map(String::as_str), Some("feature done=1"));
        for line in lines {
            assert!(line.parse::<Reply>().is_ok(), "{line}");
        }
    }
}
