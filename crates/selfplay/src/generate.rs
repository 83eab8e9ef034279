//! Many games at once, handed over in order.

use crate::player::{Player, SelfPlayError, Settings};
use data::GameRecord;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};

type Played = (u64, Result<GameRecord, SelfPlayError>);

/// Plays the games of these numbers on several threads and hands each to `each`, in the order of their
/// numbers, until all are played, one fails, or `stop` is set; games under way are dropped then. What `each`
/// returns as an error ends it all too.
///
/// # Errors
/// What went wrong first, in the order of the games.
pub fn generate<E: From<SelfPlayError>>(
    settings: &Settings,
    numbers: Range<u64>,
    threads: usize,
    stop: &AtomicBool,
    mut each: impl FnMut(u64, GameRecord) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicU64::new(numbers.start);
    let (sender, played) = channel::<Played>();
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let sender = sender.clone();
            let (next, end) = (&next, numbers.end);
            scope.spawn(move || work(settings, next, end, stop, &sender));
        }
        drop(sender);
        // Games that came before one with a lower number.
        let mut waiting = BTreeMap::new();
        let mut due = numbers.start;
        for (number, game) in played {
            waiting.insert(number, game);
            while let Some(game) = waiting.remove(&due) {
                if let Err(error) = game.map_err(E::from).and_then(|game| each(due, game)) {
                    stop.store(true, Ordering::Relaxed);
                    return Err(error);
                }
                due += 1;
            }
        }
        if due < numbers.end && !stop.load(Ordering::Relaxed) {
            return Err(SelfPlayError::Thread.into());
        }
        Ok(())
    })
}

fn work(settings: &Settings, next: &AtomicU64, end: u64, stop: &AtomicBool, sender: &Sender<Played>) {
    let mut player = None;
    while !stop.load(Ordering::Relaxed) {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= end {
            return;
        }
        let mut play = || {
            let player = match &mut player {
                Some(player) => player,
                none => none.insert(Player::new(settings)?),
            };
            player.play(number, stop)
        };
        let played = match play() {
            Ok(Some(game)) => Ok(game),
            Ok(None) => return,
            Err(error) => Err(error),
        };
        let failed = played.is_err();
        if sender.send((number, played)).is_err() || failed {
            return;
        }
    }
}
