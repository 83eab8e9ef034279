//! The numbers of the search and of its clock, each declared once, with the range and step for tuning.
//!
//! Without the feature `tuning` they are constants to the compiler. With it they are fields that an engine's
//! options can set. A heuristic whose `use_` flag is 0 is not applied, so that matches can measure what it gains
//! (`gardez ablation`).

#[cfg(feature = "tuning")]
use super::reductions::Reductions;

/// A declared number.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Tunable {
    /// Its name, as an option too.
    pub name: &'static str,
    /// Its value unless set otherwise.
    pub default: i32,
    /// The least value.
    pub min: i32,
    /// The largest value.
    pub max: i32,
    /// How far a tuner moves it at first; 0 for what is not tuned: flags, MTD(f), and the clock, about which games
    /// by nodes say nothing.
    pub step: i32,
}

macro_rules! tunables {
    (
        flags { $($(#[$flag_doc:meta])* $flag:ident = $on:literal, 0..1, 0;)* }
        numbers { $($(#[$doc:meta])* $name:ident = $default:literal, $min:literal..$max:literal, $step:literal;)* }
    ) => {
        /// All numbers of the search.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub(crate) struct Values {
            $($(#[$flag_doc])* pub(crate) $flag: bool,)*
            $($(#[$doc])* pub(crate) $name: i32,)*
        }

        impl Values {
            /// The values the engine plays with.
            pub(crate) const DEFAULT: Self = Self { $($flag: $on != 0,)* $($name: $default,)* };

            /// The value of a number by name.
            #[cfg(test)]
            pub(crate) fn get(&self, name: &str) -> Option<i32> {
                match name {
                    $(stringify!($flag) => Some(i32::from(self.$flag)),)*
                    $(stringify!($name) => Some(self.$name),)*
                    _ => None,
                }
            }

            /// Sets a number by name, if there is one of that name and the value is in its range.
            #[cfg(feature = "tuning")]
            pub(crate) fn set(&mut self, name: &str, value: i32) -> bool {
                let in_range = TUNABLES
                    .iter()
                    .any(|tunable| tunable.name == name && (tunable.min..=tunable.max).contains(&value));
                if in_range {
                    match name {
                        $(stringify!($flag) => self.$flag = value != 0,)*
                        $(stringify!($name) => self.$name = value,)*
                        _ => {}
                    }
                }
                in_range
            }
        }

        /// Every number of the search: first the flags, which switch a heuristic on (1) or off (0).
        pub const TUNABLES: &[Tunable] = &[
            $(Tunable { name: stringify!($flag), default: $on, min: 0, max: 1, step: 0 },)*
            $(Tunable { name: stringify!($name), default: $default, min: $min, max: $max, step: $step },)*
        ];
    };
}

tunables! {
flags {
    /// Aspiration windows at the root.
    use_aspiration = 1, 0..1, 0;
    /// Upcoming repetitions seen one move ahead.
    use_upcoming_repetition = 1, 0..1, 0;
    /// Cutoffs from the transposition table.
    use_tt_cutoffs = 1, 0..1, 0;
    /// Correction history: what the search has learnt about errors of the static evaluation.
    use_correction_history = 1, 0..1, 0;
    /// Correction history by the last two moves too.
    use_continuation_correction = 1, 0..1, 0;
    /// Butterfly history learns from the difference of static evaluations around a quiet move.
    use_eval_diff_history = 1, 0..1, 0;
    /// A reduction is reconsidered when the evaluation after the move is known.
    use_hindsight = 1, 0..1, 0;
    /// Internal iterative reduction.
    use_iir = 1, 0..1, 0;
    /// Reverse futility pruning.
    use_rfp = 1, 0..1, 0;
    /// Null move pruning.
    use_null_move = 1, 0..1, 0;
    /// `ProbCut` by what the transposition table says.
    use_small_probcut = 1, 0..1, 0;
    /// `ProbCut`.
    use_probcut = 1, 0..1, 0;
    /// Late move pruning.
    use_lmp = 1, 0..1, 0;
    /// Futility pruning of quiet moves.
    use_futility = 1, 0..1, 0;
    /// History pruning.
    use_history_pruning = 1, 0..1, 0;
    /// Futility pruning of captures.
    use_capture_futility = 1, 0..1, 0;
    /// Pruning of moves whose exchange loses (static exchange evaluation).
    use_see_pruning = 1, 0..1, 0;
    /// Singular extensions, multi-cut and negative extensions.
    use_singular = 1, 0..1, 0;
    /// Late move reductions.
    use_lmr = 1, 0..1, 0;
    /// Continuation history learns from the second search of a reduced move.
    use_post_lmr_history = 1, 0..1, 0;
    /// Continuation history.
    use_continuation_history = 1, 0..1, 0;
    /// Pawn history.
    use_pawn_history = 1, 0..1, 0;
    /// The quiet move before a node that fails low gains history.
    use_prior_move_bonus = 1, 0..1, 0;
    /// A score beyond beta is blended with beta.
    use_fail_firm = 1, 0..1, 0;
    /// Quiet moves that give check come earlier.
    use_check_ordering = 1, 0..1, 0;
    /// Pieces that a lesser one attacks move first, and none goes where one attacks.
    use_threat_ordering = 1, 0..1, 0;
    /// Losing captures are pruned in quiescence search.
    use_qs_see_pruning = 1, 0..1, 0;
    /// Futility pruning in quiescence search.
    use_qs_futility = 1, 0..1, 0;
}
numbers {
    /// Least depth for aspiration windows.
    aspiration_depth = 4, 2..10, 1;
    /// Half the width of the first window.
    aspiration_window = 14, 5..50, 3;
    /// The window grows by this many 64ths of itself each time the score falls outside.
    aspiration_growth = 32, 8..128, 8;
    /// Beyond this width the window is opened altogether.
    aspiration_limit = 2000, 500..8000, 250;
    /// The depth falls by a ply for each fail high at the root, up to this many.
    aspiration_reduction = 3, 0..6, 1;

    /// MTD(f) counts in steps of this many units: the coarser the scores, the fewer passes.
    mtdf_grain = 8, 1..32, 0;
    /// After this many passes the last bounds have to do.
    mtdf_passes = 24, 8..100, 0;

    /// No cutoffs by the transposition table from this halfmove clock on: the way to a position matters then.
    tt_cutoff_clock = 90, 50..100, 4;
    /// A tablebase result is stored this many plies deeper than it was asked for.
    tablebase_tt_bonus = 6, 0..12, 1;

    /// The evaluation fades towards the fifty-move rule: divided by this, times what the halfmove clock leaves of it.
    fifty_move_fading = 220, 110..500, 20;
    /// The sum of all correction histories is divided by this.
    correction_divisor = 20, 6..48, 2;
    /// Continuation correction counts this many 16ths of what each of the others counts.
    continuation_correction_weight = 32, 8..64, 4;
    /// A correction history learns the error times the depth, divided by this,
    correction_bonus_divisor = 8, 2..32, 1;
    /// but never more than this.
    correction_bonus_limit = 256, 64..512, 24;

    /// The history gained for each unit that the evaluation rose by.
    eval_diff_slope = 8, 2..30, 2;
    /// Added to what it rose by.
    eval_diff_offset = 5, -60..60, 5;
    /// A rise or fall counts no more than this.
    eval_diff_limit = 100, 30..300, 15;

    /// Least reduction of the move before that can be taken back.
    hindsight_reduction = 3, 1..6, 1;
    /// A ply less if both evaluations together are above this.
    hindsight_margin = 75, 20..300, 15;
    /// Least depth for a ply less.
    hindsight_depth = 2, 1..6, 1;

    /// Least depth for internal iterative reduction.
    iir_depth = 4, 2..9, 1;
    /// It applies too where the transposition table's entry is more than this many plies shallower.
    iir_tt_depth = 4, 1..8, 1;

    /// Largest depth for reverse futility pruning.
    rfp_depth = 9, 3..14, 1;
    /// Margin per ply.
    rfp_margin = 78, 30..150, 8;
    /// Taken off the margin when the evaluation is improving.
    rfp_improving = 45, 0..150, 10;

    /// Least depth for null move pruning.
    null_depth = 3, 1..6, 1;
    /// The static evaluation may fall short of beta by this at depth 0,
    null_margin_base = -140, -300..100, 15;
    /// and by this more for each ply.
    null_margin_slope = 20, 0..60, 4;
    /// Reduction at depth 0.
    null_base = 5, 2..8, 1;
    /// A ply more for each this many plies.
    null_depth_divisor = 4, 2..8, 1;
    /// A ply more for each this many units above beta,
    null_eval_divisor = 200, 80..400, 25;
    /// up to this many plies.
    null_eval_limit = 3, 1..6, 1;
    /// From this depth on a null-move cutoff is verified.
    null_verification_depth = 14, 8..30, 2;
    /// While it is verified there are no null moves for this many 16ths of its depth.
    null_verification_span = 12, 4..16, 1;

    /// How far above beta the transposition table's score must be for small `ProbCut`.
    small_probcut_margin = 330, 150..600, 30;
    /// How many plies shallower its entry may be.
    small_probcut_tt_depth = 4, 1..8, 1;

    /// Least depth for `ProbCut`.
    probcut_depth = 5, 3..9, 1;
    /// How far above beta.
    probcut_margin = 190, 80..400, 20;
    /// By how many plies its searches are reduced.
    probcut_reduction = 4, 2..7, 1;
    /// Not tried where the transposition table says no at this many plies less, at which a success is stored too.
    probcut_tt_depth = 3, 1..7, 1;

    /// Depth for the pruning of moves rises by a ply for this much history.
    pruning_history_divisor = 16384, 4096..32768, 1000;
    /// Moves always tried before late move pruning.
    lmp_base = 4, 1..10, 1;

    /// Largest reduced depth for futility pruning.
    futility_depth = 9, 3..14, 1;
    /// Margin at depth 0.
    futility_base = 100, 20..300, 20;
    /// Margin per ply.
    futility_slope = 75, 30..200, 10;
    /// For a history of 1024.
    futility_history = 4, 0..20, 1;

    /// Largest reduced depth for history pruning.
    history_pruning_depth = 5, 2..10, 1;
    /// Least history per ply.
    history_pruning_slope = 4800, 1000..10000, 400;

    /// Largest reduced depth for futility pruning of captures.
    capture_futility_depth = 6, 2..10, 1;
    /// Margin at depth 0, added to the value of what is captured.
    capture_futility_base = 130, 40..400, 20;
    /// Margin per ply.
    capture_futility_slope = 130, 40..300, 15;

    /// Quiet moves may lose this per ply of reduced depth squared.
    see_quiet_slope = 25, 5..80, 5;
    /// Captures may lose this per ply,
    see_capture_slope = 90, 20..200, 12;
    /// and a unit more for this much history.
    see_capture_history = 32, 8..128, 6;

    /// Least depth for singular extensions.
    singular_depth = 7, 4..10, 1;
    /// How many plies shallower the transposition table's entry may be.
    singular_tt_depth = 3, 1..6, 1;
    /// No singular extensions beyond this many times the depth of the iteration.
    singular_ply_limit = 2, 1..4, 1;
    /// Margin per ply, in 16ths.
    singular_margin = 18, 4..64, 4;
    /// The depth of the search without the move, in 16ths.
    singular_search_depth = 8, 4..12, 1;
    /// Double extension when the others fail by this much more.
    double_margin = 16, 0..80, 5;
    /// Triple extension of a quiet move when they fail by this much more.
    triple_margin = 110, 20..300, 15;
    /// Plies less for a move that is not singular where the transposition table expects a cutoff,
    negative_extension = 2, 0..4, 1;
    /// this many of them back on the principal variation,
    negative_extension_pv = 1, 0..2, 1;
    /// and plies less at expected cut nodes otherwise.
    negative_extension_cut_node = 2, 0..4, 1;

    /// Least depth for late move reductions.
    lmr_depth = 2, 1..5, 1;
    /// Reduction of quiet moves at logarithms of 0, in 1024ths.
    lmr_quiet_base = 1250, 0..2500, 120;
    /// And with the product of the logarithms.
    lmr_quiet_slope = 540, 200..900, 40;
    /// The same for captures.
    lmr_noisy_base = 100, -800..1500, 120;
    /// See above.
    lmr_noisy_slope = 300, 100..700, 40;
    /// A ply less for this much history.
    lmr_history = 11000, 3000..25000, 900;
    /// The same for captures.
    lmr_noisy_history = 7000, 3000..25000, 900;
    /// Less in or near the principal variation.
    lmr_pv = 1250, 0..2500, 120;
    /// Even less on it.
    lmr_on_pv = 300, 0..1500, 100;
    /// More at expected cut nodes.
    lmr_cut_node = 1500, 0..3000, 150;
    /// More when the evaluation is not improving.
    lmr_not_improving = 800, 0..2000, 100;
    /// Less when giving check.
    lmr_check = 700, 0..2000, 100;
    /// More when the transposition table's move is a capture.
    lmr_tt_noisy = 900, 0..2000, 100;
    /// More when the nodes after this one fail high often:
    lmr_cutoffs = 900, 0..2000, 100;
    /// more often than this.
    lmr_cutoff_count = 3, 1..8, 1;
    /// Less for each unit by which the evaluation had to be corrected.
    lmr_correction = 8, 0..40, 2;
    /// A reduced move is searched again a ply deeper if it beats the best one by this much,
    deeper_margin = 25, 5..100, 5;
    /// and by this much more for each ply;
    deeper_slope = 2, 0..8, 1;
    /// and a ply shallower if it beats it by less than this.
    shallower_margin = 8, 0..40, 3;

    /// After a move has raised alpha the others are searched a ply less, from this depth
    alpha_raise_least_depth = 4, 2..8, 1;
    /// to this one.
    alpha_raise_largest_depth = 11, 8..20, 1;

    /// History bonus per ply.
    bonus_slope = 215, 60..500, 25;
    /// Taken off the bonus.
    bonus_offset = 120, 0..500, 25;
    /// The largest bonus.
    bonus_limit = 1700, 600..3500, 150;
    /// History malus per ply.
    malus_slope = 360, 80..800, 25;
    /// Taken off the malus.
    malus_offset = 60, 0..500, 25;
    /// The largest malus.
    malus_limit = 1300, 600..3500, 150;
    /// The bonus for the move before a node that fails low, in hundredths of what a move that cuts off gets.
    prior_move_bonus = 60, 10..200, 10;

    /// Butterfly history counts this many 16ths in the order of quiet moves,
    butterfly_weight = 10, 4..32, 2;
    /// continuation history one ply back,
    continuation_weight_1 = 16, 4..48, 3;
    /// two plies back,
    continuation_weight_2 = 16, 4..48, 3;
    /// and four plies back,
    continuation_weight_4 = 24, 4..48, 3;
    /// and pawn history.
    pawn_history_weight = 16, 4..48, 3;
    /// How much earlier a quiet move that gives check comes, in the measure of histories,
    check_bonus = 9000, 0..40000, 2000;
    /// unless it loses more than this.
    check_loss_limit = 75, 0..300, 15;
    /// How much earlier a piece attacked by a lesser one moves, for each point of its value.
    threat_bonus = 2000, 0..6000, 200;
    /// A captured piece counts this much in the order of captures, for each unit of its value in exchanges.
    capture_value_weight = 12, 4..40, 2;
    /// A capture may lose a unit for this much score in that order and still come early.
    good_capture_divisor = 32, 8..128, 6;
    /// How much later promotions to less than a queen come.
    underpromotion_malus = 40000, 0..100000, 5000;

    /// By how much the evaluation may fall short of alpha in quiescence search.
    qs_futility = 150, 40..400, 20;
    /// For one part of beta a stand-pat score beyond it counts this many parts,
    stand_pat_weight = 1, 1..8, 1;
    /// and another score of quiescence search this many.
    qs_fail_firm_weight = 3, 1..8, 1;

    /// Moves the rest of the game is expected to take, when the clock does not say.
    time_moves_left = 24, 10..60, 0;
    /// The number of moves to the time control is taken to be no more than this.
    time_moves_limit = 50, 20..100, 0;
    /// How many times the overhead of a move is kept in reserve.
    time_reserved_overheads = 4, 1..10, 0;
    /// The soft limit, in hundredths of the share of a move.
    time_soft_share = 83, 30..200, 0;
    /// The same with a given number of moves to go.
    time_soft_share_to_go = 100, 30..200, 0;
    /// Hundredths of the increment that the soft limit uses.
    time_soft_increment = 70, 0..100, 0;
    /// The hard limit, in hundredths of the share of a move, on top of the increment.
    time_hard_share = 450, 150..1500, 0;
    /// The same with a given number of moves to go.
    time_hard_share_to_go = 400, 150..1500, 0;
    /// One move uses no more than these hundredths of the time left,
    time_largest_share = 70, 20..90, 0;
    /// or these, if it is the last before the time control.
    time_last_move_share = 90, 50..95, 0;
    /// What the soft limit is multiplied with, in thousandths, right after the best move has changed,
    time_unstable = 1500, 1000..3000, 0;
    /// less this for each iteration in which it has not,
    time_stability = 90, 0..200, 0;
    /// up to this many.
    time_stable_iterations = 8, 2..20, 0;
    /// What it is multiplied with, in thousandths, if no nodes went into the best move,
    time_effort_base = 2100, 1000..3500, 0;
    /// less this if all of them did.
    time_effort_slope = 1550, 0..3000, 0;
    /// It grows by these thousandths for each unit that the score has fallen by
    time_trend = 6, 0..20, 0;
    /// over this many iterations,
    time_trend_iterations = 3, 1..8, 0;
    /// counting no rise above
    time_trend_rise_limit = 20, 0..100, 0;
    /// and no fall below.
    time_trend_fall_limit = 80, 20..300, 0;
    /// The least and
    time_least_scale = 300, 100..900, 0;
    /// the largest factor of all these together, in thousandths.
    time_largest_scale = 3000, 1500..6000, 0;
    /// From this depth on a search by the clock ends early when there is nothing to choose,
    time_early_end_depth = 6, 2..20, 0;
    /// or the depth is this much beyond a mate that was found.
    time_mate_confirmation = 8, 2..20, 0;
}
}

/// The values of one engine.
#[derive(Clone, Debug, Default)]
pub(crate) struct Params {
    #[cfg(feature = "tuning")]
    values: Values,
    #[cfg(feature = "tuning")]
    reductions: Reductions,
}

impl std::ops::Deref for Params {
    type Target = Values;

    #[inline]
    fn deref(&self) -> &Values {
        #[cfg(feature = "tuning")]
        return &self.values;
        #[cfg(not(feature = "tuning"))]
        return &Values::DEFAULT;
    }
}

#[cfg(feature = "tuning")]
impl Default for Values {
    fn default() -> Self {
        Self::DEFAULT
    }
}

#[cfg(feature = "tuning")]
impl Params {
    /// Sets a number by name; false if there is none of that name or the value is out of its range.
    pub(crate) fn set(&mut self, name: &str, value: i32) -> bool {
        let known = self.values.set(name, value);
        self.reductions = Reductions::new(&self.values);
        known
    }

    /// The basic reductions that follow from the values.
    #[inline]
    pub(super) fn reductions(&self) -> &Reductions {
        &self.reductions
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_in_range_and_names_unique() {
        for (i, tunable) in TUNABLES.iter().enumerate() {
            assert!((tunable.min..=tunable.max).contains(&tunable.default), "{}", tunable.name);
            assert!(TUNABLES[..i].iter().all(|other| other.name != tunable.name), "{}", tunable.name);
            assert_eq!(Values::DEFAULT.get(tunable.name), Some(tunable.default));
            assert!(!tunable.name.starts_with("use_") || tunable.step == 0, "{}", tunable.name);
        }
    }
}
