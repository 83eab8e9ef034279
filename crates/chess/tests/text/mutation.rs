//! Damaged lines: never a panic, and whatever is accepted is legal and says the same when written.

use crate::epd::assert_round_trip;
use crate::{Random, for_each_move_of_random_games};
use chess::{Epd, FenStyle, Position, Setup};

const MUTATIONS: usize = 50_000;

/// What the damage is made of: everything that means something, and some that does not.
const LETTERS: &str = "0123456789pnbrqkPNBRQKwABCDEFGHabcdefgh/-;\"+# \t\0é♔xXm";

const EPDS: &[&str] = &[
    "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 bm exd6 O-O; ce +M2; c0 \"a comment; with more\"; id \"test.001\";",
    "2r1k3/8/8/8/8/8/8/4K3 w q -1 12 ; bm Kd1 + ; id n.9 c0 Somebody - Another, 1994\0",
    "1r2k1r1/8/8/8/8/8/8/1R2K1R1 b GBgb - hmvc 3; fmvn 40; pv Kd8 c3 c4; noop;",
    "4k3/8/8/8/4Pp2/8/8/4K3 b - e3 0 9; am Bcx3; acd 12; dm 3",
];

/// Changes, drops, doubles or inserts a few characters, or cuts the text off.
fn damaged(text: &str, letters: &[char], random: &mut Random) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=random.below(3) {
        let place = random.below(chars.len().max(1));
        let letter = letters[random.below(letters.len())];
        if place >= chars.len() {
            chars.push(letter);
            continue;
        }
        match random.below(8) {
            0 => chars.truncate(place),
            1 => drop(chars.remove(place)),
            2 => chars.insert(place, chars[place]),
            3 => chars.insert(place, letter),
            4 => {
                let other = random.below(chars.len());
                chars.swap(place, other);
            }
            _ => chars[place] = letter,
        }
    }
    chars.into_iter().collect()
}

#[test]
fn damaged_fens_are_refused_or_round_trip() {
    let mut fens = Vec::new();
    for_each_move_of_random_games(0xfe4, 30, |position, _| {
        fens.push(position.to_fen());
        fens.push(position.to_fen_with(FenStyle::Shredder));
    });
    let letters: Vec<char> = LETTERS.chars().collect();
    let mut random = Random::new(0xda3a6e);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..MUTATIONS {
        let text = damaged(&fens[random.below(fens.len())], &letters, &mut random);
        if let Ok(setup) = Setup::from_fen(&text) {
            assert_eq!(Setup::from_fen(&setup.to_fen()), Ok(setup), "{text:?}");
        }
        match Position::from_fen(&text) {
            Ok(position) => {
                accepted += 1;
                position.assert_consistent();
                for style in [FenStyle::XFen, FenStyle::Shredder] {
                    assert_eq!(Position::from_fen(&position.to_fen_with(style)), Ok(position), "{text:?}");
                }
            }
            Err(error) => {
                refused += 1;
                assert!(!error.to_string().is_empty());
            }
        }
    }
    assert!(accepted > MUTATIONS / 50 && refused > MUTATIONS / 2, "{accepted} accepted, {refused} refused");
}

#[test]
fn damaged_epds_are_refused_or_round_trip() {
    let letters: Vec<char> = LETTERS.chars().collect();
    let mut random = Random::new(0xebd);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..MUTATIONS {
        let text = damaged(EPDS[random.below(EPDS.len())], &letters, &mut random);
        match Epd::parse(&text) {
            Ok(epd) => {
                accepted += 1;
                epd.position.assert_consistent();
                assert_round_trip(&epd);
            }
            Err(error) => {
                refused += 1;
                assert!(!error.to_string().is_empty());
            }
        }
    }
    assert!(accepted > MUTATIONS / 4 && refused > MUTATIONS / 10, "{accepted} accepted, {refused} refused");
}
