//! What the opening table says of positions and moves.

use crate::claim::{Claim, Fact, Merit, Occasion, Variation};
use crate::structure;
use book::{Book, Variety, openings};
use chess::{Bitboard, File, Game, Move, Position, Rank, Role, Square, attacks};
use std::sync::LazyLock;

/// All moves of the table but those that are mistakes.
static TABLE: LazyLock<Book> = LazyLock::new(|| openings::book(Variety::All));

/// The opening of a game and what is usual in its position.
#[must_use]
pub fn of_position(game: &Game) -> Vec<Claim> {
    let opening =
        openings::name_of_game(game).map(|opening| Fact::Opening { eco: opening.eco, name: opening.name });
    let usual = usual_move(game).map(|mv| theory(game.position(), false, Some(mv)));
    opening.into_iter().chain(usual).map(|fact| Claim::new(Occasion::Position, fact)).collect()
}

/// Whether a move is known, and what is usual instead; nothing where the table has no moves.
#[must_use]
pub fn of_move(game: &Game, mv: Move) -> Option<Claim> {
    let position = game.position();
    let known = TABLE.probe(game.polyglot_key(), position);
    let usual = known.first()?.mv;
    let is_known = known.iter().any(|entry| entry.mv == mv);
    let fact = theory(position, is_known, Some(usual).filter(|&usual| usual != mv));
    Some(Claim::new(Occasion::Played, fact))
}

fn usual_move(game: &Game) -> Option<Move> {
    TABLE.probe(game.polyglot_key(), game.position()).first().map(|entry| entry.mv)
}

fn theory(position: &Position, is_known: bool, usual: Option<Move>) -> Fact {
    let merit = usual.and_then(|mv| merit(position, mv));
    let usual = usual.map(|mv| Variation { start: *position, moves: vec![mv] });
    Fact::Theory { is_known, usual, merit }
}

/// What a move of the opening does, by plain rules.
#[must_use]
pub fn merit(position: &Position, mv: Move) -> Option<Merit> {
    let side = position.turn();
    if mv.is_castling() {
        return Some(Merit::Castles);
    }
    let role = position.piece_on(mv.from())?.role();
    let after = position.after(mv);
    if matches!(role, Role::Knight | Role::Bishop) {
        let is_new = structure::developed(&after, side) > structure::developed(position, side);
        return is_new.then_some(Merit::Develops(role));
    }
    if role != Role::Pawn || position.is_capture(mv) {
        return None;
    }
    let attacked = attacks::pawn(side, mv.to()) & position.pieces(!side, Role::Pawn);
    if centre().has(mv.to()) && !centre().has(mv.from()) {
        Some(Merit::Centre)
    } else if attacked.intersects(centre()) {
        Some(Merit::AttacksCentre)
    } else {
        None
    }
}

fn centre() -> Bitboard {
    let squares = [File::D, File::E]
        .map(|file| Square::new(file, Rank::Fourth).bitboard() | Square::new(file, Rank::Fifth).bitboard());
    squares[0] | squares[1]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(sans: &str) -> Game {
        let mut game = Game::new();
        for san in sans.split_whitespace() {
            game.play(game.position().parse_san(san).expect("legal")).expect("legal");
        }
        game
    }

    fn known(sans: &str, san: &str) -> Option<(bool, Option<String>)> {
        let game = game(sans);
        let mv = game.position().parse_san(san).expect("legal");
        let Fact::Theory { is_known, usual, .. } = of_move(&game, mv)?.fact else { return None };
        Some((is_known, usual.map(|usual| usual.first_san())))
    }

    #[test]
    fn the_table_knows_moves_and_usual_ones() {
        assert_eq!(known("e4 e5 Nf3 Nc6", "Bb5").map(|(is_known, _)| is_known), Some(true));
        let (is_known, usual) = known("e4 e5 Nf3 Nc6", "a4").expect("a known position");
        assert!(!is_known && usual.is_some());
        assert_eq!(known("e4 e5 Nf3 Nc6 a4 a5 h4", "h5"), None);
        let named = of_position(&game("e4 c5"));
        assert!(matches!(named[0].fact, Fact::Opening { name: "Sicilian Defence", .. }), "{named:?}");
    }

    #[test]
    fn usual_moves_have_merits() {
        let merit = |sans: &str, san: &str| {
            let game = game(sans);
            merit(game.position(), game.position().parse_san(san).expect("legal"))
        };
        assert_eq!(merit("", "e4"), Some(Merit::Centre));
        assert_eq!(merit("e4", "c5"), None);
        assert_eq!(merit("d4 d5", "c4"), Some(Merit::AttacksCentre));
        assert_eq!(merit("e4 e5 Nf3 Nc6", "Bb5"), Some(Merit::Develops(Role::Bishop)));
        assert_eq!(merit("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6", "O-O"), Some(Merit::Castles));
        assert_eq!(merit("e4 e5", "Ke2"), None);
    }
}
