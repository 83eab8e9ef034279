//! The numbers of the search, each declared once, with the range and step for tuning.
//!
//! Without the feature `tuning` they are constants to the compiler. With it they are fields that an
//! engine's options can set, which also switches heuristics off: a heuristic whose flag is 0 is not
//! applied, so that matches can tell what it is worth.

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
    /// How far a tuner moves it at first; 0 for the flags, which are not tuned.
    pub step: i32,
}

macro_rules! tunables {
    ($($(#[$doc:meta])* $name:ident = $default:literal, $min:literal..$max:literal, $step:literal;)*) => {
        /// All numbers of the search.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct Values { $($(#[$doc])* pub $name: i32,)* }

        impl Values {
            /// The values the engine plays with.
            pub const DEFAULT: Self = Self { $($name: $default,)* };

            /// The value of a number by name.
            #[cfg(test)]
            #[must_use]
            pub fn get(&self, name: &str) -> Option<i32> {
                match name { $(stringify!($name) => Some(self.$name),)* _ => None }
            }

            /// Sets a number by name, if there is one of that name and the value is in its range.
            #[cfg(feature = "tuning")]
            pub fn set(&mut self, name: &str, value: i32) -> bool {
                let in_range = TUNABLES
                    .iter()
                    .any(|tunable| tunable.name == name && (tunable.min..=tunable.max).contains(&value));
                if in_range {
                    match name { $(stringify!($name) => self.$name = value,)* _ => {} }
                }
                in_range
            }
        }

        /// Every number of the search.
        pub const TUNABLES: &[Tunable] = &[$(Tunable {
            name: stringify!($name), default: $default, min: $min, max: $max, step: $step,
        },)*];
    };
}

tunables! {
    /// Aspiration windows at the root.
    use_aspiration = 1, 0..1, 0;
    /// Half the width of the first window.
    aspiration_window = 14, 5..50, 3;
    /// The window grows by this many 64ths of itself each time the score falls outside.
    aspiration_growth = 32, 8..128, 8;

    /// Cutoffs from the transposition table.
    use_table_cutoffs = 1, 0..1, 0;
    /// Upcoming repetitions seen one move ahead.
    use_upcoming_repetition = 1, 0..1, 0;
    /// Corrections of the static evaluation.
    use_corrections = 1, 0..1, 0;
    /// The sum of what was learnt is divided by this.
    correction_divisor = 20, 6..48, 2;
    /// Corrections by the last two moves too.
    use_move_corrections = 1, 0..1, 0;
    /// What the last two moves teach counts so many sixteenths of what each of the other features teaches.
    move_correction_weight = 32, 8..64, 4;
    /// The histories of a quiet move by its squares, and after the move four plies back, count so many
    /// sixteenths of what each of the others counts.
    butterfly_weight = 10, 4..32, 2;
    /// See above.
    far_weight = 24, 4..48, 3;
    /// Continuation histories.
    use_continuations = 1, 0..1, 0;
    /// Pawn history.
    use_pawn_history = 1, 0..1, 0;

    /// Quiet moves that give check come earlier.
    use_checks_first = 1, 0..1, 0;
    /// By how much, in the measure of histories.
    check_bonus = 9000, 0..40000, 2000;

    /// Pieces that a lesser one attacks flee first, and none goes where it would be.
    use_flight = 1, 0..1, 0;
    /// For each point of the piece's worth, in the measure of histories.
    flight_bonus = 2000, 0..6000, 200;

    /// Histories learn from the evaluation after a quiet move.
    use_evaluation_lessons = 1, 0..1, 0;
    /// The lesson for each unit that the evaluation gained.
    evaluation_lesson_slope = 8, 2..30, 2;
    /// Added to what it gained.
    evaluation_lesson_offset = 5, -60..60, 5;

    /// The quiet move before a node that fails low is praised.
    use_refutation_lessons = 1, 0..1, 0;
    /// The bonus for it, in hundredths of what a move that refutes gets.
    refutation_lesson = 60, 10..200, 10;

    /// A reduction is reconsidered when the evaluation after the move is known.
    use_hindsight = 1, 0..1, 0;
    /// A ply less if both evaluations together are above this.
    hindsight_margin = 75, 20..300, 15;

    /// Internal iterative reduction.
    use_iir = 1, 0..1, 0;
    /// Least depth for it.
    iir_depth = 4, 2..9, 1;

    /// Reverse futility pruning.
    use_rfp = 1, 0..1, 0;
    /// Largest depth for it.
    rfp_depth = 9, 3..14, 1;
    /// Margin per ply.
    rfp_margin = 78, 30..150, 8;
    /// Taken off the margin when the evaluation is improving.
    rfp_improving = 45, 0..150, 10;

    /// Null move pruning.
    use_null_move = 1, 0..1, 0;
    /// Least depth for it.
    null_depth = 3, 1..6, 1;
    /// Reduction at depth 0.
    null_base = 5, 2..8, 1;
    /// A ply more for every so many plies.
    null_depth_divisor = 4, 2..8, 1;
    /// A ply more for every so many units above beta.
    null_eval_divisor = 200, 80..400, 25;
    /// From this depth on a null-move cutoff is verified.
    null_verification_depth = 14, 8..30, 2;

    /// `ProbCut`.
    use_probcut = 1, 0..1, 0;
    /// Least depth for it.
    probcut_depth = 5, 3..9, 1;
    /// How far above beta.
    probcut_margin = 190, 80..400, 20;

    /// `ProbCut` by what the table says.
    use_table_probcut = 1, 0..1, 0;
    /// How far above beta.
    table_probcut_margin = 330, 150..600, 30;

    /// Late move pruning.
    use_lmp = 1, 0..1, 0;
    /// Quiet moves always tried.
    lmp_base = 4, 1..10, 1;

    /// Futility pruning of quiet moves.
    use_futility = 1, 0..1, 0;
    /// Largest reduced depth for it.
    futility_depth = 9, 3..14, 1;
    /// Margin at depth 0.
    futility_base = 100, 20..300, 20;
    /// Margin per ply.
    futility_slope = 75, 30..200, 10;
    /// For a history of 1024.
    futility_history = 4, 0..20, 1;

    /// Futility pruning of captures.
    use_capture_futility = 1, 0..1, 0;
    /// Largest reduced depth for it.
    capture_futility_depth = 6, 2..10, 1;
    /// Margin at depth 0, beside the worth of what is captured.
    capture_futility_base = 130, 40..400, 20;
    /// Margin per ply.
    capture_futility_slope = 130, 40..300, 15;

    /// Pruning by history.
    use_history_pruning = 1, 0..1, 0;
    /// Largest reduced depth for it.
    history_pruning_depth = 5, 2..10, 1;
    /// Least history per ply.
    history_pruning_slope = 4800, 1000..10000, 400;

    /// Pruning of losing exchanges.
    use_see_pruning = 1, 0..1, 0;
    /// Quiet moves may lose this per ply of reduced depth squared.
    see_quiet_slope = 25, 5..80, 5;
    /// Captures may lose this per ply.
    see_capture_slope = 90, 20..200, 12;

    /// Singular extensions.
    use_singular = 1, 0..1, 0;
    /// Least depth for them.
    singular_depth = 7, 4..10, 1;
    /// Margin per ply, in 16ths.
    singular_margin = 18, 4..64, 4;
    /// Double extension when the others fail by this much more.
    double_margin = 16, 0..80, 5;
    /// Triple extension of a quiet move when they fail by this much more.
    triple_margin = 110, 20..300, 15;

    /// Late move reductions.
    use_lmr = 1, 0..1, 0;
    /// Reduction of quiet moves at logarithms of 0, in 1024ths.
    lmr_quiet_base = 1250, 0..2500, 120;
    /// And with the product of the logarithms.
    lmr_quiet_slope = 540, 200..900, 40;
    /// The same for captures.
    lmr_noisy_base = 100, -800..1500, 120;
    /// See above.
    lmr_noisy_slope = 300, 100..700, 40;
    /// A ply less for so much history.
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
    /// More when the table's move is a capture.
    lmr_table_noisy = 900, 0..2000, 100;
    /// More when the nodes after this one fail high often.
    lmr_cutoffs = 900, 0..2000, 100;
    /// Less for each unit by which the evaluation had to be corrected.
    lmr_correction = 8, 0..40, 2;
    /// By how many units, and two for each ply, a reduced move must beat the best one to be looked at a ply deeper.
    deeper_margin = 25, 5..100, 5;

    /// History bonus per ply.
    bonus_slope = 215, 60..500, 25;
    /// Taken off the bonus.
    bonus_offset = 120, 0..500, 25;
    /// The largest bonus.
    bonus_limit = 1700, 600..3500, 150;
    /// The same for the moves that failed.
    malus_slope = 360, 80..800, 25;
    /// See above.
    malus_offset = 60, 0..500, 25;
    /// See above.
    malus_limit = 1300, 600..3500, 150;

    /// What the second look at a reduced move found is learnt.
    use_second_look_lessons = 1, 0..1, 0;
    /// Scores beyond beta count less, the less deep the search was.
    use_soft_cutoffs = 1, 0..1, 0;

    /// Losing captures are skipped in quiescence.
    use_quiescence_see = 1, 0..1, 0;
    /// Captures that cannot raise alpha are skipped in quiescence.
    use_quiescence_futility = 1, 0..1, 0;
    /// By how much the evaluation may fall short.
    quiescence_futility = 150, 40..400, 20;
}

/// The values of one engine.
#[derive(Clone, Debug, Default)]
pub struct Params {
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

impl Params {
    /// Sets a number by name; false if there is none of that name or the value is out of its range.
    #[cfg(feature = "tuning")]
    pub fn set(&mut self, name: &str, value: i32) -> bool {
        let known = self.values.set(name, value);
        self.reductions = Reductions::new(&self.values);
        known
    }

    /// The basic reduction of a late move, in 1024ths of a ply.
    #[must_use]
    #[inline]
    pub fn reduction(&self, quiet: bool, depth: i32, move_number: usize) -> i32 {
        #[cfg(feature = "tuning")]
        return self.reductions.get(quiet, depth, move_number);
        #[cfg(not(feature = "tuning"))]
        {
            static REDUCTIONS: Reductions = Reductions::new(&Values::DEFAULT);
            REDUCTIONS.get(quiet, depth, move_number)
        }
    }
}

/// Reductions by depth and move number, for captures and quiet moves.
#[derive(Clone, Debug)]
struct Reductions([[[i16; 64]; 64]; 2]);

#[cfg(feature = "tuning")]
impl Default for Values {
    fn default() -> Self {
        Self::DEFAULT
    }
}

#[cfg(feature = "tuning")]
impl Default for Reductions {
    fn default() -> Self {
        Self::new(&Values::DEFAULT)
    }
}

impl Reductions {
    const fn new(values: &Values) -> Self {
        let mut table = [[[0; 64]; 64]; 2];
        let mut depth = 1;
        while depth < 64 {
            let mut number = 1;
            while number < 64 {
                let logarithms = (ln_1024(depth) as i64 * ln_1024(number) as i64 / 1024) as i32;
                let noisy = values.lmr_noisy_base + values.lmr_noisy_slope * logarithms / 1024;
                let quiet = values.lmr_quiet_base + values.lmr_quiet_slope * logarithms / 1024;
                table[0][depth as usize][number as usize] = noisy as i16;
                table[1][depth as usize][number as usize] = quiet as i16;
                number += 1;
            }
            depth += 1;
        }
        Self(table)
    }

    #[inline]
    fn get(&self, quiet: bool, depth: i32, move_number: usize) -> i32 {
        i32::from(self.0[usize::from(quiet)][depth.clamp(0, 63) as usize][move_number.min(63)])
    }
}

/// The natural logarithm in 1024ths. Integers only, because the logarithm of one machine's library may
/// differ from another's in the last bit, and the search must not.
const fn ln_1024(n: i32) -> i32 {
    // The logarithm to base two: the whole part by counting bits, then one bit of the fraction for
    // every squaring, on a 32-bit fixed-point mantissa between 1 and 2.
    let whole = 31 - (n as u32).leading_zeros();
    let mut mantissa = (n as u64) << (31 - whole);
    let mut log2 = (whole as u64) << 20;
    let mut bit = 1 << 19;
    while bit > 0 {
        mantissa = (mantissa * mantissa) >> 31;
        if mantissa >= 1 << 32 {
            mantissa >>= 1;
            log2 += bit;
        }
        bit >>= 1;
    }
    // ln 2 in 2^20ths is 726817.
    ((log2 * 726_817) >> 30) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_right_to_a_thousandth() {
        for n in 1..64 {
            let exact = f64::from(n).ln() * 1024.0;
            assert!((f64::from(ln_1024(n)) - exact).abs() < 1.01, "{n}: {} {exact}", ln_1024(n));
        }
    }

    #[test]
    fn defaults_are_in_range_and_names_unique() {
        for (i, tunable) in TUNABLES.iter().enumerate() {
            assert!((tunable.min..=tunable.max).contains(&tunable.default), "{}", tunable.name);
            assert!(TUNABLES[..i].iter().all(|other| other.name != tunable.name), "{}", tunable.name);
            assert_eq!(Values::DEFAULT.get(tunable.name), Some(tunable.default));
        }
    }

    #[test]
    fn later_moves_are_reduced_more() {
        let params = Params::default();
        assert!(params.reduction(true, 10, 20) > params.reduction(true, 10, 5));
        assert!(params.reduction(true, 10, 5) > params.reduction(true, 4, 5));
        assert!(params.reduction(true, 10, 10) > params.reduction(false, 10, 10));
    }
}
