//! Every experiment in its smallest form.

use lab::{Cell, EXPERIMENTS, Experiment, Interrupted, Progress, Report, Scale, Workbench};
use std::sync::OnceLock;

/// One report of each, made once for all tests.
fn reports() -> &'static [Report] {
    static REPORTS: OnceLock<Vec<Report>> = OnceLock::new();
    REPORTS.get_or_init(|| EXPERIMENTS.iter().map(|experiment| tiny(experiment, 1)).collect())
}

fn tiny(experiment: &Experiment, seed: u64) -> Report {
    experiment.run(&mut Workbench::quiet(Scale::Tiny, seed)).expect("nothing interrupts it")
}

/// All that is counted; times differ from run to run.
fn counts(report: &Report) -> Vec<u64> {
    let cells = report.tables.iter().flat_map(|table| table.rows.iter().flatten());
    cells.filter_map(|cell| if let Cell::Count(count) = cell { Some(*count) } else { None }).collect()
}

#[test]
fn every_experiment_compares_a_document_with_a_measurement() {
    for report in reports() {
        assert!(!report.claims.is_empty(), "{}", report.name);
        for claim in &report.claims {
            assert!(!claim.document.is_empty() && !claim.measured.contains("NaN"), "{claim:?}");
            assert!(!claim.measured.contains("inf"), "{claim:?}");
        }
        for table in &report.tables {
            assert!(!table.rows.is_empty(), "{}", report.name);
            assert!(table.rows.iter().all(|row| row.len() == table.head.len()), "{}", report.name);
        }
        let text = report.to_text();
        assert!(text.starts_with(report.name) && text.contains(&report.claims[0].measured), "{text}");
    }
}

#[test]
fn the_same_seed_counts_the_same() {
    for (report, experiment) in reports().iter().zip(EXPERIMENTS) {
        assert_eq!(counts(report), counts(&tiny(&experiment, 1)), "{}", experiment.name);
    }
    let hits = lab::find("hits").unwrap();
    assert_ne!(counts(&tiny(&hits, 1)), counts(&tiny(&hits, 2)));
}

#[test]
fn alpha_beta_saves_and_the_whole_tree_is_what_the_rules_say() {
    let report = tiny(&lab::find("pruning").unwrap(), 1);
    let rows = &report.tables[0].rows;
    let count = |row: usize, column: usize| match rows[row][column] {
        Cell::Count(count) => count,
        ref other => panic!("{other:?} is not counted"),
    };
    assert_eq!((count(0, 1), count(1, 1), count(2, 1)), (1 + 20, 1 + 20 + 400, 1 + 20 + 400 + 8902));
    assert!(count(2, 2) < count(2, 1));
}

#[test]
fn boards_count_the_same_moves() {
    let report = tiny(&lab::find("generators").unwrap(), 1);
    let moves: Vec<&Cell> = report.tables[0].rows.iter().skip(1).map(|row| &row[2]).collect();
    assert_eq!(moves.len(), 4);
    assert!(moves.windows(2).all(|pair| pair[0] == pair[1]), "{moves:?}");
}

#[test]
fn reports_are_json_with_plain_numbers() {
    let report = tiny(&lab::find("ORDERING").unwrap(), 3);
    let json: serde_json::Value = serde_json::from_str(&serde_json::to_string(&report).unwrap()).unwrap();
    assert_eq!(json["name"], "ordering");
    assert_eq!(json["scale"], "tiny");
    assert_eq!(json["seed"], 3);
    assert!(json["tables"][0]["rows"][0][1].is_u64());
    assert!(json["claims"][0]["document"].is_string());
    assert!(json["plots"][0]["series"][0]["points"][0][1].is_f64());
}

/// Whether every tag is closed in its turn, and nothing but tags and escapes has angle brackets.
fn is_well_formed(svg: &str) -> bool {
    let mut open = Vec::new();
    let mut rest = svg;
    while let Some(start) = rest.find('<') {
        let Some(length) = rest[start..].find('>') else { return false };
        let tag = &rest[start + 1..start + length];
        if tag.matches('"').count() % 2 == 1 || tag.contains('<') {
            return false;
        }
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop() != Some(name) {
                return false;
            }
        } else if !tag.ends_with('/') {
            open.push(tag.split_whitespace().next().unwrap_or_default());
        }
        rest = &rest[start + length + 1..];
    }
    open.is_empty() && !rest.contains('>')
}

#[test]
fn plots_are_well_formed() {
    assert!(is_well_formed("<a><b x=\"1\"/>t</a>") && !is_well_formed("<a><b></a></b>"));
    for report in reports() {
        assert!(!report.plots.is_empty(), "{}", report.name);
        for plot in &report.plots {
            let svg = plot.to_svg();
            assert!(is_well_formed(&svg), "{svg}");
            assert!(!svg.contains("NaN") && !svg.contains("inf\""), "{svg}");
            assert!(svg.contains("prefers-color-scheme:dark"));
            for series in &plot.series {
                assert!(plot.series.len() == 1 || svg.contains(&series.name), "{}", series.name);
            }
        }
    }
}

#[test]
fn experiments_tell_how_far_they_are_and_can_be_stopped() {
    for experiment in EXPERIMENTS {
        let mut steps = 0;
        let mut report = |progress: Progress<'_>| {
            assert!(progress.done < progress.total, "{progress:?} of {}", experiment.name);
            steps += 1;
        };
        // Stopped halfway or at once: either way it says so.
        let asked = std::cell::Cell::new(0);
        let halfway = || asked.replace(asked.get() + 1) > 20;
        let stopped = experiment.run(&mut Workbench::new(Scale::Tiny, 1, &halfway, &mut report));
        assert!(stopped.is_ok() || stopped == Err(Interrupted));
        assert!(steps > 0 || stopped.is_err(), "{}", experiment.name);
        let stopped = experiment.run(&mut Workbench::new(Scale::Tiny, 1, &|| true, &mut |_| {}));
        assert_eq!(stopped, Err(Interrupted), "{}", experiment.name);
    }
}

#[test]
fn unknown_names_list_the_known_ones() {
    let message = lab::find("telepathy").unwrap_err().to_string();
    assert!(message.contains("telepathy"));
    for experiment in EXPERIMENTS {
        assert!(message.contains(experiment.name), "{message}");
    }
}
