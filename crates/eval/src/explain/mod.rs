//! The evaluation taken apart into named items, for people.

mod phrases;
mod text;

use crate::endgame::{self, Ending};
use crate::placement::Placement;
use crate::score::{FULL_SCALE, Sums, taper};
use crate::terms::{Group, Kind, Term, weight};
use crate::trace::{Record, Recorder};
use crate::{Evaluated, evaluate_placement};
use chess::{Bitboard, Color, Piece, Position, PositionError, Role, Square};
use std::fmt;
use text::places;

/// A value for middle game and end game, and in the proportion of the position at hand.
///
/// Values are in the units of the evaluation until [`Explanation::in_centipawns`] converts them.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Value {
    /// In the middle game.
    pub middle_game: i32,
    /// In the end game.
    pub end_game: i32,
    /// Here, by the phase of the game and the scale of the end game.
    pub here: i32,
}

/// What a group of terms gives each side. More is better for that side.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct GroupScore {
    /// The group.
    pub group: Group,
    /// For White and for Black.
    pub sides: [Value; 2],
}

/// What a term gives each side, over all its weights.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct TermScore {
    /// The term.
    pub term: Term,
    /// For White and for Black.
    pub sides: [Value; 2],
}

/// One reason for the evaluation: a term that counts for a side because of some squares.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// The side it counts for, be it to its credit or not.
    pub color: Color,
    /// The term.
    pub term: Term,
    /// Which weight of the term.
    pub index: usize,
    /// How often it counts.
    pub count: i32,
    /// The squares it is about; none for what concerns the whole board.
    pub squares: Bitboard,
    /// Its value to the side.
    pub value: Value,
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.term.name(), places(self.squares))
    }
}

/// What a piece contributes: by how much its side would be worse off with the piece simply taken off.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct PieceValue {
    /// The piece.
    pub piece: Piece,
    /// Where it stands.
    pub square: Square,
    /// From the view of its side.
    pub value: i32,
    /// Why the position without it could not occur in a game, if so. It is evaluated all the same.
    pub illegal_without: Option<PositionError>,
}

/// What the rules say about the side to move.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Status {
    /// It may move as it likes.
    Quiet,
    /// It is in check, which an evaluation without a search does not see.
    Check,
    /// It is mated.
    Checkmate,
    /// It has no move and is not in check.
    Stalemate,
}

impl Status {
    fn of(position: &Position) -> Self {
        match (position.is_check(), position.has_legal_move()) {
            (false, true) => Self::Quiet,
            (true, true) => Self::Check,
            (true, false) => Self::Checkmate,
            (false, false) => Self::Stalemate,
        }
    }
}

/// Why a position is evaluated as it is.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The evaluation from White's view.
    pub white_view: i32,
    /// The side to move.
    pub turn: Color,
    /// Whether the side to move is in check or has no move.
    pub status: Status,
    /// How much of the middle game there is, from 0 to [`FULL_PHASE`](crate::FULL_PHASE).
    pub phase: i32,
    /// How much of its end-game advantage the better side keeps, from 0 to [`FULL_SCALE`].
    pub scale: i32,
    /// What the material says about the end game.
    pub ending: Ending,
    /// Whether the value is knowledge of an ending, so that groups and items play no part in it.
    pub is_known: bool,
    /// What each group of terms gives each side, in the order of [`Group::ALL`].
    pub groups: Vec<GroupScore>,
    /// What each term gives each side, in the order of [`Group::ALL`]; terms that count for neither side here are
    /// left out.
    pub terms: Vec<TermScore>,
    /// All single reasons.
    pub items: Vec<Item>,
    /// What each piece contributes, kings excepted.
    pub pieces: Vec<PieceValue>,
}

/// Explains the evaluation of a position.
#[must_use]
pub fn explain(position: &Position) -> Explanation {
    let placement = Placement::new(position);
    let mut recorder = Recorder::default();
    let evaluated = evaluate_placement(&placement, None, &mut recorder);
    let white_view = evaluated.value(&placement);
    let view = View::of(&evaluated, &placement);
    let (ending, is_known) = match &evaluated {
        Evaluated::Known { balance, .. } => (balance.ending, true),
        Evaluated::Judged { balance, .. } => (balance.ending, false),
    };
    let items =
        if is_known { Vec::new() } else { recorder.records.iter().map(|record| view.item(record)).collect() };
    Explanation {
        white_view,
        turn: position.turn(),
        status: Status::of(position),
        phase: view.phase,
        scale: view.scale,
        ending,
        is_known,
        groups: if is_known { Vec::new() } else { view.groups(&items) },
        terms: view.terms(&items),
        items,
        pieces: piece_values(position, &placement, white_view),
    }
}

impl Explanation {
    /// The same with every value converted from the units of the evaluation, by the function that also makes
    /// the scores that the engine shows.
    #[must_use]
    pub fn in_centipawns(mut self, convert: impl Fn(i32) -> i32) -> Self {
        let value = |value: Value| Value {
            middle_game: convert(value.middle_game),
            end_game: convert(value.end_game),
            here: convert(value.here),
        };
        self.white_view = convert(self.white_view);
        self.groups.iter_mut().for_each(|group| group.sides = group.sides.map(value));
        self.terms.iter_mut().for_each(|term| term.sides = term.sides.map(value));
        self.items.iter_mut().for_each(|item| item.value = value(item.value));
        self.pieces.iter_mut().for_each(|piece| piece.value = convert(piece.value));
        self
    }
}

fn piece_values(position: &Position, placement: &Placement, white_view: i32) -> Vec<PieceValue> {
    let pieces =
        placement.occupied().into_iter().filter_map(|square| Some((position.piece_on(square)?, square)));
    pieces
        .filter(|(piece, _)| piece.role() != Role::King)
        .map(|(piece, square)| {
            let without = placement.without(square);
            let difference = white_view - evaluate_placement(&without, None, ()).value(&without);
            let value = if piece.color() == Color::White { difference } else { -difference };
            PieceValue { piece, square, value, illegal_without: why_illegal_without(position, square) }
        })
        .collect()
}

fn why_illegal_without(position: &Position, square: Square) -> Option<PositionError> {
    let mut setup = position.to_setup();
    setup.board[square.index()] = None;
    // Rights that go with the piece are not what makes a position illegal.
    setup.castling_rooks = setup.castling_rooks.without(square);
    setup.en_passant = None;
    Position::from_setup(&setup).err()
}

/// What turns counts of weights into values at this position.
struct View {
    sums: Sums,
    phase: i32,
    scale: i32,
    /// The side that leads in the end game before the initiative, which is the one that gains or loses by it.
    leader: Color,
    initiative: i32,
}

impl View {
    fn of(evaluated: &Evaluated, placement: &Placement) -> Self {
        let phase = evaluated.phase();
        match evaluated {
            Evaluated::Known { value, .. } => Self {
                sums: Sums::default(),
                phase,
                scale: FULL_SCALE,
                leader: if *value >= 0 { Color::White } else { Color::Black },
                initiative: 0,
            },
            Evaluated::Judged { balance, facts, sums } => {
                let [_, end_game] = sums.before_initiative();
                let initiative = sums.effective_initiative(end_game);
                let strong = if end_game + initiative >= 0 { Color::White } else { Color::Black };
                Self {
                    sums: *sums,
                    phase,
                    scale: endgame::scale(placement, balance, facts, strong),
                    leader: if end_game >= 0 { Color::White } else { Color::Black },
                    initiative: initiative * end_game.signum(),
                }
            }
        }
    }

    fn value(&self, middle_game: i32, end_game: i32) -> Value {
        Value { middle_game, end_game, here: taper(middle_game, end_game, self.phase, self.scale) }
    }

    fn item(&self, record: &Record) -> Item {
        let [mg, eg] = (weight(record.term, record.index) * record.count).halves();
        let (color, value) = match record.term.kind() {
            Kind::Linear => (record.color, self.value(mg, eg)),
            Kind::Danger => {
                // Danger counts by its square, so each cause gets its share of the whole.
                let danger = self.sums.danger[record.color.index()];
                let cost = Sums::danger_cost(danger);
                let share = |half: usize, part: i32| {
                    if danger[half] > 0 { -cost[half] * part / danger[half] } else { 0 }
                };
                (record.color, self.value(share(0, mg), share(1, eg)))
            }
            Kind::Initiative => {
                let share =
                    if self.sums.initiative == 0 { 0 } else { self.initiative * eg / self.sums.initiative };
                (self.leader, self.value(0, share))
            }
        };
        Item {
            color,
            term: record.term,
            index: record.index,
            count: record.count,
            squares: record.squares,
            value,
        }
    }

    fn terms(&self, items: &[Item]) -> Vec<TermScore> {
        let in_order = Group::ALL
            .into_iter()
            .flat_map(|group| Term::ALL.iter().copied().filter(move |term| term.group() == group));
        in_order
            .filter(|&term| items.iter().any(|item| item.term == term))
            .map(|term| {
                let sides = Color::ALL.map(|color| {
                    self.sum(items.iter().filter(|item| item.term == term && item.color == color))
                });
                TermScore { term, sides }
            })
            .collect()
    }

    fn sum<'a>(&self, items: impl Iterator<Item = &'a Item>) -> Value {
        let (mg, eg) =
            items.fold((0, 0), |(mg, eg), item| (mg + item.value.middle_game, eg + item.value.end_game));
        self.value(mg, eg)
    }

    fn groups(&self, items: &[Item]) -> Vec<GroupScore> {
        let score = |group: Group, color: Color| match group {
            Group::KingDanger => {
                let [mg, eg] = Sums::danger_cost(self.sums.danger[color.index()]);
                self.value(-mg, -eg)
            }
            Group::Initiative => self.value(0, if color == self.leader { self.initiative } else { 0 }),
            _ => self.sum(items.iter().filter(|item| item.term.group() == group && item.color == color)),
        };
        Group::ALL
            .into_iter()
            .map(|group| GroupScore { group, sides: Color::ALL.map(|color| score(group, color)) })
            .collect()
    }
}
