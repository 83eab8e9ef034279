//! The steps of the search, as a table: what docs/search.md and `gardez ablation --list --markdown` print.
//!
//! Numbers and names are those of the comments in `node.rs`, `pruning.rs` and `reductions.rs`, which a test compares.

use std::fmt::Write;

/// A step of the search.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct SearchStep {
    /// Where it is done: its number in a node, or "root", "ordering", "quiescence".
    pub place: &'static str,
    /// The name of the heuristic, or of what is done.
    pub name: &'static str,
    /// The flags that switch it off; none for what is always done.
    pub flags: &'static [&'static str],
    /// Why it is there.
    pub reason: &'static str,
}

const fn step(
    place: &'static str,
    name: &'static str,
    flags: &'static [&'static str],
    reason: &'static str,
) -> SearchStep {
    SearchStep { place, name, flags, reason }
}

/// All steps, in the order in which a search comes to them.
#[rustfmt::skip]
pub const STEPS: &[SearchStep] = &[
    step("root", "Iterative deepening", &[], "each depth orders the moves of the next, and there is always an answer"),
    step("root", "Aspiration windows", &["use_aspiration"], "a narrow window around the last score cuts more; it widens on the side where the score falls outside"),
    step("1", "Quiescence search", &[], "at depth 0 only captures are played out"),
    step("2", "Draws", &["use_upcoming_repetition"], "by repetition, fifty moves and material; a move that can repeat gives at least a draw (cuckoo tables)"),
    step("3", "Mate distance pruning", &[], "no line can beat a shorter mate found elsewhere"),
    step("4", "Transposition table cutoff", &["use_tt_cutoffs"], "the position was searched before, deep enough, off the principal variation"),
    step("5", "Tablebase probe", &[], "Syzygy tablebases know the result of positions with few men"),
    step("6", "Static evaluation", &["use_correction_history", "use_continuation_correction"], "what pruning compares with; corrected by what earlier searches found wrong with positions that share pawns, pieces or the last two moves"),
    step("7", "Eval-difference history", &["use_eval_diff_history"], "a quiet move after which the evaluation is better was a good one"),
    step("8", "Hindsight", &["use_hindsight"], "the reduction of the move before is reconsidered, now that the evaluation after it is known"),
    step("9", "Internal iterative reduction", &["use_iir"], "without a move from the transposition table the ordering is poor; a ply less finds one cheaply"),
    step("10", "Reverse futility pruning", &["use_rfp"], "so far above beta that the depth left will hardly undo it"),
    step("11", "Null move pruning", &["use_null_move"], "if passing keeps the score above beta, a move will; not where one piece alone can move, and verified at great depth, for fear of zugzwang"),
    step("12", "Small ProbCut", &["use_small_probcut"], "the transposition table remembers a search not much shallower that was far above beta"),
    step("13", "ProbCut", &["use_probcut"], "a good capture beats beta by a margin at reduced depth, so a full search will beat beta"),
    step("14", "Late move pruning", &["use_lmp"], "enough quiet moves were tried"),
    step("15", "Futility pruning", &["use_futility"], "the evaluation is too far below alpha for a quiet move that gives no check"),
    step("16", "History pruning", &["use_history_pruning"], "the quiet move never worked"),
    step("17", "Capture futility pruning", &["use_capture_futility"], "even with what the capture takes, too far below alpha"),
    step("18", "SEE pruning", &["use_see_pruning"], "static exchange evaluation: the move loses too much for the depth left"),
    step("19", "Singular extension", &["use_singular"], "without the transposition table's move nothing comes near its score: one to three plies more; if others reach beta too, the node is cut (multi-cut) or the move gets less (negative extension)"),
    step("20", "Make the move", &[], "the child's entry of the transposition table is prefetched"),
    step("21", "Late move reductions", &["use_lmr", "use_post_lmr_history"], "late moves are searched less deep first; those that surprise are searched again, and their history learns from it"),
    step("22", "Principal variation search", &[], "all but the first move only have to be refuted; those that are not get the open window"),
    step("23", "Alpha and beta", &[], "a better move raises alpha, and one that reaches beta ends the node"),
    step("24", "Checkmate and stalemate", &[], "there is no legal move"),
    step("25", "History updates", &["use_continuation_history", "use_pawn_history", "use_prior_move_bonus"], "bonus for the move that refuted, malus for those tried before: by squares, by the moves one, two and four plies back, by pawns; and a bonus for the quiet move before a node that fails low"),
    step("26", "Fail firm", &["use_fail_firm"], "a score beyond beta is blended with beta, the more the less depth there was behind it"),
    step("27", "Store the result", &[], "transposition table entry, and correction history"),
    step("ordering", "Checks early", &["use_check_ordering"], "quiet moves that give check and lose no piece come before others"),
    step("ordering", "Threats", &["use_threat_ordering"], "pieces attacked by a lesser one move first, and none goes where one attacks"),
    step("quiescence", "SEE pruning", &["use_qs_see_pruning"], "captures that lose material are left out"),
    step("quiescence", "Futility pruning", &["use_qs_futility"], "captures that cannot bring the evaluation up to alpha must win something"),
];

/// The steps as a table in Markdown.
#[must_use]
pub fn markdown() -> String {
    let mut text = "| step | name | why | flag |\n|---|---|---|---|\n".to_owned();
    for SearchStep { place, name, flags, reason } in STEPS {
        let flags: Vec<String> = flags.iter().map(|flag| format!("`{flag}`")).collect();
        let _ = writeln!(text, "| {place} | {name} | {reason} | {} |", flags.join(", "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::params::TUNABLES;

    #[test]
    fn every_flag_belongs_to_one_step() {
        let of_steps: Vec<&str> = STEPS.iter().flat_map(|step| step.flags).copied().collect();
        let declared: Vec<&str> =
            TUNABLES.iter().map(|tunable| tunable.name).filter(|name| name.starts_with("use_")).collect();
        for flag in &declared {
            assert_eq!(of_steps.iter().filter(|of_step| *of_step == flag).count(), 1, "{flag}");
        }
        assert_eq!(of_steps.len(), declared.len());
    }

    #[test]
    fn the_sources_have_the_steps_under_these_numbers_and_names() {
        let sources =
            [include_str!("node.rs"), include_str!("pruning.rs"), include_str!("reductions.rs")].concat();
        let numbered: Vec<_> = STEPS
            .iter()
            .filter(|step| step.place.chars().all(|character| character.is_ascii_digit()))
            .collect();
        for (index, step) in numbered.iter().enumerate() {
            assert_eq!(step.place, (index + 1).to_string());
            let heading = format!("// {}. {}", step.place, step.name);
            let after = sources.split(&heading).nth(1).unwrap_or_else(|| panic!("no '{heading}'"));
            assert!(after.starts_with([':', '.', ',']), "{heading}");
        }
        let next = format!("// {}. ", numbered.len() + 1);
        assert!(!sources.contains(&next), "{next}");
    }

    #[test]
    fn the_documentation_has_the_table() {
        let document = include_str!("../../../../docs/search.md");
        assert!(document.contains(&markdown()), "docs/search.md: put `gardez ablation --list --markdown` in");
    }
}
