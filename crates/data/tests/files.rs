//! Files of games come back as they were written, however they are torn.

#![forbid(unsafe_code)]

use chess::random::Random;
use chess::{Game, Position, Setup, Variant};
use data::{Damage, FileError, Filter, GameReader, GameRecord, GameWriter, Origin, ScoredMove, Verdict};
use std::fs;
use std::path::PathBuf;

const ORIGIN: Origin = Origin { chess960_percent: 10, seed: 0x0123_4567_89ab_cdef, nodes: 5_000, hash: 8 };

/// A random game from a start position of Chess960, always the same for an index.
fn random_game(index: u64, plies: usize) -> GameRecord {
    let mut random = Random::stream(99, index);
    let setup = Setup::chess960(random.below(960) as u16).unwrap();
    let start = Position::from_setup(&setup).unwrap();
    let mut game = Game::with_variant(start, Variant::Chess960);
    let mut moves = Vec::new();
    while moves.len() < plies && !game.is_over() {
        let legal = game.position().legal_moves();
        let mv = legal[random.below(legal.len())];
        moves.push(ScoredMove { mv, white_score: random.bits() as u16 as i16 });
        game.play(mv).unwrap();
    }
    GameRecord::new(start, moves, Verdict::ALL.get(random.below(4)).copied()).unwrap()
}

fn games(count: u64) -> Vec<GameRecord> {
    (0..count).map(|index| random_game(index, 8 + index as usize % 7)).collect()
}

/// A directory that is removed at the end of the test, and a file to be in it.
fn place() -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("games.gdz");
    (directory, path)
}

fn write(path: &PathBuf, games: &[GameRecord]) {
    let mut writer = GameWriter::open(path, ORIGIN).unwrap();
    for game in games {
        writer.append(game).unwrap();
    }
    writer.finish().unwrap();
}

/// The bytes of a file with these games, and where each of its frames ends.
fn file_of(games: &[GameRecord]) -> (Vec<u8>, Vec<usize>) {
    let (_directory, path) = place();
    let mut writer = GameWriter::open(&path, ORIGIN).unwrap();
    let mut ends = vec![writer.length() as usize];
    for game in games {
        writer.append(game).unwrap();
        ends.push(writer.length() as usize);
    }
    writer.finish().unwrap();
    (fs::read(&path).unwrap(), ends)
}

fn read(bytes: &[u8]) -> Vec<GameRecord> {
    GameReader::new(bytes).unwrap().map(Result::unwrap).collect()
}

#[test]
fn games_come_back() {
    let games: Vec<_> = (0..40).map(|index| random_game(index, 300)).collect();
    let (bytes, _) = file_of(&games);
    let mut reader = GameReader::new(&bytes[..]).unwrap();
    assert_eq!(reader.origin(), ORIGIN);
    let back: Vec<_> = reader.by_ref().map(Result::unwrap).collect();
    assert_eq!(back, games);
    assert_eq!(reader.torn_at(), None);
    assert_eq!(reader.records(), 40);
    let positions: usize = games.iter().map(|game| game.moves().len()).sum();
    let per_position = bytes.len() as f64 / positions as f64;
    assert!(per_position < 4.5, "{per_position} bytes a position");
}

#[test]
fn a_file_cut_anywhere_yields_whole_games_only() {
    let games = games(5);
    let (bytes, ends) = file_of(&games);
    for cut in 0..bytes.len() {
        let torn = &bytes[..cut];
        let Ok(mut reader) = GameReader::new(torn) else {
            assert!(cut < ends[0], "cut at {cut}");
            continue;
        };
        let whole = ends.iter().filter(|&&end| end <= cut).count() - 1;
        let back: Vec<_> = reader.by_ref().map(Result::unwrap).collect();
        assert_eq!(back, games[..whole], "cut at {cut}");
        let clean = ends.contains(&cut);
        assert_eq!(reader.torn_at(), (!clean).then_some(ends[whole] as u64), "cut at {cut}");
    }
}

#[test]
fn writing_goes_on_behind_a_tear() {
    let games = games(2);
    let (bytes, ends) = file_of(&games);
    let (_directory, path) = place();
    for cut in 0..=bytes.len() {
        fs::write(&path, &bytes[..cut]).unwrap();
        let writer = GameWriter::open(&path, ORIGIN).unwrap();
        let there = writer.games() as usize;
        assert_eq!(there, ends.iter().filter(|&&end| end <= cut).count().saturating_sub(1));
        drop(writer);
        write(&path, &games[there..]);
        assert!(fs::read(&path).unwrap() == bytes, "cut at {cut}");
    }
}

#[test]
fn garbage_at_the_end_is_never_a_game() {
    let games = games(3);
    let (bytes, ends) = file_of(&games);
    let mut random = Random::stream(5, 5);
    let (_directory, path) = place();
    for round in 0..200 {
        let mut garbled = bytes.clone();
        match round % 3 {
            0 => garbled.extend((0..1 + random.below(300)).map(|_| random.bits() as u8)),
            1 => garbled.resize(bytes.len() + 1 + random.below(5000), 0),
            // A whole frame with one bit changed.
            _ => {
                let frame = ends[1]..ends[2];
                garbled.extend(&bytes[frame.clone()]);
                let at = bytes.len() + random.below(frame.len());
                garbled[at] ^= 1 << random.below(8);
            }
        }
        let mut reader = GameReader::new(&garbled[..]).unwrap().skip_damaged(true);
        assert_eq!(reader.by_ref().map(Result::unwrap).collect::<Vec<_>>(), games);
        assert_eq!(reader.torn_at().is_some(), reader.skipped().is_empty());
        fs::write(&path, &garbled).unwrap();
        write(&path, &games[..1]);
        let extended = fs::read(&path).unwrap();
        assert_eq!(extended.len(), bytes.len() + ends[1] - ends[0]);
        assert_eq!(read(&extended).len(), 4);
    }
}

#[test]
fn no_changed_byte_goes_unnoticed() {
    let games = games(2);
    let (bytes, ends) = file_of(&games);
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 0x10;
        match GameReader::new(&changed[..]) {
            Err(_) => assert!(at < ends[0]),
            Ok(mut reader) => {
                let frame = ends.iter().position(|&end| at < end).unwrap() - 1;
                let before: Vec<_> = reader.by_ref().map_while(Result::ok).collect();
                assert_eq!(before, games[..frame], "byte {at}");
                let others: Vec<_> = (0..games.len()).filter(|&game| game != frame).collect();
                let offset = ends[frame] as u64;
                let mut skipping = GameReader::new(&changed[..]).unwrap().skip_damaged(true);
                let back: Vec<_> = skipping.by_ref().map(Result::unwrap).collect();
                assert_eq!(
                    back,
                    others.iter().map(|&game| games[game].clone()).collect::<Vec<_>>(),
                    "byte {at}"
                );
                // In the last frame a length that has become too large looks like a torn end.
                if reader.torn_at().is_some() {
                    assert!(
                        frame + 1 == games.len() && (1..4).contains(&(at + 1 - ends[frame])),
                        "byte {at}"
                    );
                } else {
                    let length = ends[frame + 1] as u64 - offset;
                    assert_eq!(skipping.skipped(), [Damage { offset, length }], "byte {at}");
                }
            }
        }
    }
}

#[test]
fn a_header_torn_by_a_power_failure_is_written_again() {
    let games = games(2);
    let (bytes, ends) = file_of(&games);
    let (_directory, path) = place();
    let header = ends[0];
    // Some blocks of the header have reached the disk and others have not.
    for length in [1, 17, header] {
        for (from, to) in [(0, length), (8, length), (0, length.min(8)), (4, length.min(12))] {
            let mut torn = bytes[..length].to_vec();
            torn.get_mut(from..to).unwrap_or_default().fill(0);
            fs::write(&path, &torn).unwrap();
            write(&path, &games);
            assert!(fs::read(&path).unwrap() == bytes, "zeros from {from} to {to} of {length}");
        }
    }
    // With games behind it, a header of zeros is damage and is left alone.
    let mut damaged = bytes.clone();
    damaged[..header].fill(0);
    fs::write(&path, &damaged).unwrap();
    assert!(GameWriter::open(&path, ORIGIN).is_err());
    assert!(fs::read(&path).unwrap() == damaged);
}

#[test]
fn files_that_must_not_be_overwritten_are_left_alone() {
    let (_directory, path) = place();
    for text in ["notes", "a longer text that is by no means a file of games, so it must stay as it is"] {
        fs::write(&path, text).unwrap();
        assert!(matches!(GameWriter::open(&path, ORIGIN), Err(FileError::NotGames)));
        assert!(matches!(GameReader::open(&path), Err(FileError::NotGames)));
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    let (mut bytes, ends) = file_of(&games(3));
    fs::write(&path, &bytes).unwrap();
    let other = Origin { seed: 1, ..ORIGIN };
    let error = GameWriter::open(&path, other).unwrap_err();
    assert!(matches!(error, FileError::OtherOrigin { found: ORIGIN, .. }), "{error}");

    // Damage in the middle, with much behind it.
    bytes[ends[1] + 20] ^= 1;
    bytes.resize(bytes.len() + (1 << 20), 7);
    fs::write(&path, &bytes).unwrap();
    let error = GameWriter::open(&path, ORIGIN).unwrap_err();
    assert!(matches!(error, FileError::Damaged { offset, .. } if offset == ends[1] as u64), "{error}");
    assert!(fs::read(&path).unwrap() == bytes);

    bytes[8] = 3;
    assert!(matches!(GameReader::new(&bytes[..]), Err(FileError::Version(3))));
}

#[test]
fn two_writers_do_not_mix() {
    let (_directory, path) = place();
    let first = GameWriter::open(&path, ORIGIN).unwrap();
    assert!(matches!(GameWriter::open(&path, ORIGIN), Err(FileError::Locked)));
    drop(first);
    assert!(GameWriter::open(&path, ORIGIN).is_ok());
}

#[test]
fn illegal_moves_make_no_record() {
    let start = Position::startpos();
    let e2e5 = chess::Move::normal(chess::Square::E2, chess::Square::E5);
    let moves = vec![ScoredMove { mv: e2e5, white_score: 0 }];
    assert!(GameRecord::new(start, moves, Some(Verdict::Draw)).is_err());
    let game = random_game(1, 20);
    let mut bytes = Vec::new();
    game.encode(&mut bytes);
    assert_eq!(GameRecord::decode(&bytes), Ok(game));
    let last = bytes.len() - 4;
    bytes[last..last + 2].copy_from_slice(&0x3fff_u16.to_le_bytes());
    assert!(GameRecord::decode(&bytes).is_err());
    for length in 0..last {
        // Whatever is left must be judged without a panic; whole moves make a shorter game.
        let _ = GameRecord::decode(&bytes[..length]);
    }
}

fn game_of(fen: &str, moves: &[(&str, i16)], verdict: Verdict) -> GameRecord {
    let start = Position::from_fen(fen).unwrap();
    let mut position = start;
    let scored = moves
        .iter()
        .map(|&(text, white_score)| {
            let mv = *position
                .legal_moves()
                .iter()
                .find(|&&mv| position.to_uci(mv, chess::CastlingStyle::Standard).to_string() == text)
                .unwrap_or_else(|| panic!("{text}"));
            position.play(mv);
            ScoredMove { mv, white_score }
        })
        .collect();
    GameRecord::new(start, scored, Some(verdict)).unwrap()
}

#[test]
fn scores_and_results_are_whites() {
    // White is a queen up and wins; Black is to move first.
    let game = game_of(
        "4k3/8/8/8/8/8/3Q4/4K3 b - - 0 40",
        &[("e8f8", 900), ("d2d3", 910), ("f8e8", 920)],
        Verdict::WhiteWins,
    );
    let samples = Filter::default().choose(&game, 0);
    assert_eq!(samples.len(), 3);
    for (sample, white_score) in samples.iter().zip([900, 910, 920]) {
        let white_to_move = sample.position.turn() == chess::Color::White;
        assert_eq!(sample.white_score, white_score);
        assert_eq!(sample.mover_score(), if white_to_move { white_score } else { -white_score });
        assert_eq!(sample.white_points(), Some(1.0));
        assert_eq!(sample.mover_points(), Some(if white_to_move { 1.0 } else { 0.0 }));
    }
}

#[test]
fn the_filter_leaves_out_what_teaches_nothing() {
    let fen = "4k3/8/8/3p4/8/8/3Q4/4K3 w - - 0 40";
    let chosen = |moves: &[(&str, i16)]| -> Vec<i16> {
        let game = game_of(fen, moves, Verdict::WhiteWins);
        Filter::default().choose(&game, 0).iter().map(|sample| sample.white_score).collect()
    };
    // A check, the answer to it, a quiet move, a capture.
    assert_eq!(
        chosen(&[("d2e2", 801), ("e8d8", 802), ("e2f3", 803), ("d8e8", 804), ("f3d5", 805)]),
        [801, 803, 804]
    );
    // Mates and very large scores.
    assert_eq!(
        chosen(&[("d2e2", 31_990), ("e8d8", 1), ("e2f3", -31_990), ("d8e8", 3_001)]),
        Vec::<i16>::new()
    );
    // Scores beyond 2,000, and positions near the fifty-move rule.
    assert_eq!(
        chosen(&[("d2f2", 2_000), ("e8d8", 2_001), ("f2f3", -2_000), ("d8e8", -2_001)]),
        [2_000, -2_000]
    );
    let shuffling = game_of(
        "4k3/8/8/3p4/8/8/3Q4/4K3 w - - 78 90",
        &[("d2f2", 1), ("e8d8", 2), ("f2f3", 3)],
        Verdict::Draw,
    );
    let clocks: Vec<u16> = Filter::default()
        .choose(&shuffling, 0)
        .iter()
        .map(|sample| sample.position.halfmove_clock())
        .collect();
    assert_eq!(clocks, [78, 79]);
    // The opening.
    let early = "4k3/8/8/3p4/8/8/3Q4/4K3 w - - 0 8";
    let moves = [("d2f2", 1), ("e8d8", 2), ("f2f3", 3), ("d8e8", 4)];
    let game = game_of(early, &moves, Verdict::Draw);
    let chosen: Vec<i16> =
        Filter::default().choose(&game, 0).iter().map(|sample| sample.white_score).collect();
    // Move 8 of White comes after 14 half-moves, so the first after more than 16 is the fourth.
    assert_eq!(chosen, [4]);
}

#[test]
fn few_positions_of_a_game_are_chosen_by_the_seed() {
    let game = random_game(3, 200);
    let all = Filter { after_ply: 0, ..Filter::default() };
    let everything = all.choose(&game, 3);
    let filter = Filter { per_game: 5, seed: 1, ..all };
    let chosen = filter.choose(&game, 3);
    assert_eq!(chosen.len(), 5);
    assert_eq!(chosen, filter.choose(&game, 3));
    assert_ne!(chosen, filter.choose(&game, 4));
    assert_ne!(chosen, Filter { seed: 2, ..filter }.choose(&game, 3));
    let mut later = everything.iter();
    assert!(chosen.iter().all(|sample| later.any(|other| other == sample)), "in the order of play");
}

#[test]
fn no_bytes_make_a_reader_panic() {
    let mut random = Random::stream(8, 8);
    let (mut read, mut refused) = (0, 0);
    for round in 0..20_000 {
        let mut bytes = Vec::new();
        random_game(round % 20, 6).encode(&mut bytes);
        for _ in 0..1 + random.below(3) {
            let at = random.below(bytes.len());
            bytes[at] = random.bits() as u8;
        }
        match GameRecord::decode(&bytes) {
            Ok(_) => read += 1,
            Err(_) => refused += 1,
        }
    }
    assert!(read > 1000 && refused > 1000, "{read} {refused}");
}

#[test]
fn damage_is_an_error_with_its_offset_unless_it_is_to_be_skipped() {
    let games = games(6);
    let (mut bytes, ends) = file_of(&games);
    bytes[ends[2] + 20] ^= 1;
    bytes[ends[4] + 2] ^= 1;
    let offset = ends[2] as u64;
    let mut reader = GameReader::new(&bytes[..]).unwrap();
    assert_eq!(reader.by_ref().take(2).map(Result::unwrap).collect::<Vec<_>>(), games[..2]);
    let error = reader.next().unwrap().unwrap_err();
    assert!(matches!(error, FileError::Damaged { offset: at, .. } if at == offset), "{error}");
    assert!(error.to_string().contains(&format!("byte {offset}")), "{error}");
    assert!(reader.next().is_none());

    let mut reader = GameReader::new(&bytes[..]).unwrap().skip_damaged(true);
    let back: Vec<_> = reader.by_ref().map(Result::unwrap).collect();
    assert_eq!(back, [0, 1, 3, 5].map(|game| games[game].clone()));
    let offsets: Vec<_> = reader.skipped().iter().map(|damage| damage.offset).collect();
    assert_eq!(offsets, [ends[2] as u64, ends[4] as u64]);
    assert_eq!(reader.torn_at(), None);

    // Games behind the damage must not be lost, however few they are.
    let (_directory, path) = place();
    fs::write(&path, &bytes).unwrap();
    let error = GameWriter::open(&path, ORIGIN).unwrap_err();
    assert!(matches!(error, FileError::Damaged { offset: at, .. } if at == offset), "{error}");
    assert!(fs::read(&path).unwrap() == bytes);
}

#[test]
fn zeros_at_the_end_are_torn_and_other_garbage_is_damage() {
    let games = games(2);
    let (bytes, ends) = file_of(&games);
    let end = ends[2] as u64;
    let zeros = [&bytes[..], &[0; 3000]].concat();
    let mut reader = GameReader::new(&zeros[..]).unwrap();
    assert_eq!(reader.by_ref().map(Result::unwrap).count(), 2);
    assert_eq!(reader.torn_at(), Some(end));
    let sevens = [&bytes[..], &[7; 3000]].concat();
    let error = GameReader::new(&sevens[..]).unwrap().nth(2).unwrap().unwrap_err();
    assert!(matches!(error, FileError::Damaged { offset, length: 3000 } if offset == end), "{error}");
}

/// The header that versions before this one wrote.
fn header_of_version_1(chess960: bool) -> Vec<u8> {
    let mut header = b"GARDEZ\r\n".to_vec();
    header.extend(1_u32.to_le_bytes());
    header.extend(u32::from(chess960).to_le_bytes());
    header.extend(ORIGIN.seed.to_le_bytes());
    header.extend(ORIGIN.nodes.to_le_bytes());
    header.extend(ORIGIN.hash.to_le_bytes());
    // CRC-32, bit by bit.
    let crc = header.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| crc >> 1 ^ (0xedb8_8320 * (crc & 1)))
    });
    header.extend((!crc).to_le_bytes());
    header
}

#[test]
fn files_of_version_1_are_read_but_not_appended_to() {
    let games = games(3);
    let (mut bytes, ends) = file_of(&games);
    for (chess960, percent) in [(false, 0), (true, 100)] {
        bytes[..ends[0]].copy_from_slice(&header_of_version_1(chess960));
        let reader = GameReader::new(&bytes[..]).unwrap();
        assert_eq!(reader.origin(), Origin { chess960_percent: percent, ..ORIGIN });
        assert_eq!(reader.map(Result::unwrap).collect::<Vec<_>>(), games);
        let (_directory, path) = place();
        fs::write(&path, &bytes).unwrap();
        let origin = Origin { chess960_percent: percent, ..ORIGIN };
        assert!(matches!(GameWriter::open(&path, origin), Err(FileError::OldVersion(1))));
        assert!(fs::read(&path).unwrap() == bytes);
    }
}
