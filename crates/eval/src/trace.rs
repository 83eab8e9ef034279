//! The evaluation taken apart into counts of weights, for tuning.
//!
//! With the counts, the evaluation is a simple function of the weights: a linear part, the square of the
//! danger to each king, and the initiative. [`Trace::value`] computes it for any weights and
//! [`Trace::gradient`] its derivatives, so a tuner needs no numeric differences.

use crate::endgame;
use crate::placement::Placement;
use crate::score::{DANGER_PLAIN, DANGER_SQUARE, FULL_PHASE, FULL_SCALE, S, Sums};
use crate::scorer::Tracer;
use crate::terms::{DANGER_START, INITIATIVE_START, Term};
use crate::{Evaluated, MAX_EVALUATION, evaluate_placement};
use chess::{Bitboard, Color, Position};
use std::ops::{AddAssign, Mul};

/// How often a weight counts for each side.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Coefficient {
    /// The weight, by its place in the row of all weights.
    pub index: u16,
    /// How often it counts for White; for the initiative, for both sides together.
    pub white: i16,
    /// How often it counts for Black.
    pub black: i16,
}

/// An evaluation as counts of weights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// The weights that count, each once, in ascending order of their indices. The linear ones come first,
    /// then those of the danger to kings, then those of the initiative. Linear ones that count alike for
    /// both sides are left out, which makes the list a good deal shorter.
    pub coefficients: Vec<Coefficient>,
    /// How much of the middle game there is, from 0 to [`FULL_PHASE`].
    pub phase: i32,
    /// How much of an end-game advantage White would keep, and Black, from 0 to [`FULL_SCALE`].
    pub scale: [i32; 2],
    /// The value from White's view of an ending that is known whatever the weights.
    pub exact: Option<i32>,
    /// The side to move.
    pub turn: Color,
}

/// Takes the evaluation of a position apart.
#[must_use]
pub fn trace(position: &Position) -> Trace {
    let placement = Placement::new(position);
    let mut recorder = Recorder::default();
    let evaluated = evaluate_placement(&placement, None, &mut recorder);
    Trace {
        coefficients: recorder.coefficients(),
        phase: evaluated.phase(),
        scale: evaluated.scales(&placement),
        exact: evaluated.exact(),
        turn: placement.turn(),
    }
}

impl Evaluated {
    fn scales(&self, placement: &Placement) -> [i32; 2] {
        match self {
            Self::Known { .. } => [FULL_SCALE; 2],
            Self::Judged { balance, facts, .. } => {
                Color::ALL.map(|strong| endgame::scale(placement, balance, facts, strong))
            }
        }
    }
}

/// One use of a weight.
#[derive(Copy, Clone)]
pub(crate) struct Record {
    pub(crate) color: Color,
    pub(crate) term: Term,
    pub(crate) index: usize,
    pub(crate) count: i32,
    pub(crate) squares: Bitboard,
}

/// Writes down every use of a weight.
#[derive(Default)]
pub(crate) struct Recorder {
    pub(crate) records: Vec<Record>,
}

impl Tracer for Recorder {
    fn record(&mut self, color: Color, term: Term, index: usize, count: i32, squares: Bitboard) {
        if count != 0 {
            debug_assert!(index < term.weights(), "{term:?} has no weight {index}");
            self.records.push(Record { color, term, index, count, squares });
        }
    }
}

impl Recorder {
    fn coefficients(&self) -> Vec<Coefficient> {
        let mut uses: Vec<_> = self
            .records
            .iter()
            .map(|record| (record.term.offset() + record.index, record.color, record.count))
            .collect();
        uses.sort_unstable_by_key(|&(index, ..)| index);
        uses.chunk_by(|a, b| a.0 == b.0)
            .map(|same| {
                let total =
                    |color| same.iter().filter(|used| used.1 == color).map(|used| used.2 as i16).sum();
                Coefficient {
                    index: same[0].0 as u16,
                    white: total(Color::White),
                    black: total(Color::Black),
                }
            })
            .filter(|used| used.white != used.black || usize::from(used.index) >= DANGER_START)
            .collect()
    }
}

impl Trace {
    /// The coefficients by the way they enter the evaluation: linear, danger, initiative.
    #[must_use]
    pub fn by_kind(&self) -> [&[Coefficient]; 3] {
        let starts_at = |first| self.coefficients.partition_point(|used| usize::from(used.index) < first);
        let (linear, rest) = self.coefficients.split_at(starts_at(DANGER_START));
        let (danger, initiative) = rest.split_at(starts_at(INITIATIVE_START) - linear.len());
        [linear, danger, initiative]
    }

    /// The evaluation from the view of the side to move with these weights: with those the engine plays
    /// with, exactly what it sees.
    ///
    /// # Panics
    /// When there are fewer than [`WEIGHT_COUNT`](crate::WEIGHT_COUNT) weights.
    #[must_use]
    pub fn evaluation(&self, weights: &[S]) -> i32 {
        let sums = self.sums(|index| [i32::from(weights[index].0), i32::from(weights[index].1)]);
        let white_view =
            self.exact.unwrap_or_else(|| sums.total(self.phase, |strong| self.scale[strong.index()]));
        if self.turn == Color::White { white_view } else { -white_view }
    }

    /// Adds up the weights in whole or real numbers.
    fn sums<N>(&self, weight: impl Fn(usize) -> [N; 2]) -> Sums<N>
    where
        N: Copy + Default + AddAssign + Mul<Output = N> + From<i16>,
    {
        let add = |sum: &mut [N; 2], used: &Coefficient, count: i16| {
            let [mg, eg] = weight(usize::from(used.index));
            sum[0] += mg * N::from(count);
            sum[1] += eg * N::from(count);
        };
        let mut sums = Sums::default();
        let [linear, danger, initiative] = self.by_kind();
        for used in linear {
            add(&mut sums.linear, used, used.white - used.black);
        }
        for used in danger {
            add(&mut sums.danger[0], used, used.white);
            add(&mut sums.danger[1], used, used.black);
        }
        let mut pressure = [N::default(); 2];
        for used in initiative {
            add(&mut pressure, used, used.white);
        }
        sums.initiative = pressure[1];
        sums
    }

    fn mix(&self, sums: &Sums<f32>) -> Mix {
        let cost = |danger: [f32; 2]| {
            let [mg, eg] = danger.map(|danger| danger.max(0.0));
            [mg * mg / DANGER_SQUARE as f32, eg / DANGER_PLAIN as f32]
        };
        let [white, black] = sums.danger.map(cost);
        let mg = sums.linear[0] - white[0] + black[0];
        let eg = sums.linear[1] - white[1] + black[1];
        let strong = usize::from(eg < 0.0);
        let sign = if eg < 0.0 { -1.0 } else { 1.0 };
        let (lead, initiative) = match sums.initiative {
            lack if lack < -eg.abs() => (0.0, 0.0),
            plenty if plenty > eg.abs() => (2.0, 0.0),
            _ => (1.0, sign),
        };
        let scale = self.scale[strong] as f32 / FULL_SCALE as f32;
        let phase = self.phase as f32 / FULL_PHASE as f32;
        Mix {
            halves: [mg, lead * eg + initiative * sums.initiative],
            shares: [phase, (1.0 - phase) * scale],
            lead,
            initiative,
        }
    }

    /// The evaluation from White's view with any weights, without rounding.
    ///
    /// # Panics
    /// When there are fewer than [`WEIGHT_COUNT`](crate::WEIGHT_COUNT) weights.
    #[must_use]
    pub fn value(&self, weights: &[[f32; 2]]) -> f32 {
        if let Some(exact) = self.exact {
            return exact as f32;
        }
        let mix = self.mix(&self.sums(|index| weights[index]));
        let limit = MAX_EVALUATION as f32;
        (mix.halves[0] * mix.shares[0] + mix.halves[1] * mix.shares[1]).clamp(-limit, limit)
    }

    /// Calls `each` with the index of every weight that counts and the derivatives of [`value`](Self::value)
    /// by its middle-game and end-game half.
    ///
    /// # Panics
    /// When there are fewer than [`WEIGHT_COUNT`](crate::WEIGHT_COUNT) weights.
    pub fn gradient(&self, weights: &[[f32; 2]], mut each: impl FnMut(usize, [f32; 2])) {
        if self.exact.is_some() {
            return;
        }
        let sums = self.sums(|index| weights[index]);
        let mix = self.mix(&sums);
        let shares = [mix.shares[0], mix.shares[1] * mix.lead];
        let [linear, danger, initiative] = self.by_kind();
        for used in linear {
            let count = f32::from(used.white - used.black);
            each(usize::from(used.index), shares.map(|share| share * count));
        }
        let slopes = sums.danger.map(|[mg, eg]| {
            let plain = if eg > 0.0 { 1.0 / DANGER_PLAIN as f32 } else { 0.0 };
            [2.0 * mg.max(0.0) / DANGER_SQUARE as f32, plain]
        });
        for used in danger {
            let slope = |half: usize| {
                shares[half]
                    * (f32::from(used.black) * slopes[1][half] - f32::from(used.white) * slopes[0][half])
            };
            each(usize::from(used.index), [slope(0), slope(1)]);
        }
        if mix.initiative != 0.0 {
            for used in initiative {
                each(usize::from(used.index), [0.0, mix.initiative * mix.shares[1] * f32::from(used.white)]);
            }
        }
    }
}

/// How the two halves of a trace make its value.
struct Mix {
    halves: [f32; 2],
    shares: [f32; 2],
    /// How often the lead in the end game counts: not at all where the initiative has eaten it up, twice
    /// where the initiative is larger.
    lead: f32,
    /// How often the initiative counts: for White, against, or, where the lead limits it, not at all.
    initiative: f32,
}
