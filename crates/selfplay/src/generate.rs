//! Many games at once, handed over in order.

use crate::player::{Played, Player, SelfPlayError, Settings};
use data::GameRecord;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};

/// What a thread has done with the thing of this number.
type Done<R> = (u64, Result<R, SelfPlayError>);

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
    each: impl FnMut(u64, Played) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicU64::new(numbers.start);
    let take = || {
        let number = next.fetch_add(1, Ordering::Relaxed);
        (number < numbers.end).then_some((number, ()))
    };
    let play = |player: &mut Player, number, ()| player.play(number, stop);
    in_order(settings, numbers.start, threads, stop, &take, &play, each)
}

/// Scores games again on several threads and hands each to `each`, in the order of their numbers, which begin
/// with `first`. It ends like [`generate`].
///
/// # Errors
/// What went wrong first, in the order of the games.
pub fn rescore<E: From<SelfPlayError>>(
    settings: &Settings,
    first: u64,
    games: impl Iterator<Item = GameRecord> + Send,
    threads: usize,
    stop: &AtomicBool,
    each: impl FnMut(u64, GameRecord) -> Result<(), E>,
) -> Result<(), E> {
    let games = Mutex::new((first..).zip(games));
    let take = || games.lock().unwrap_or_else(PoisonError::into_inner).next();
    let score = |player: &mut Player, number, game: GameRecord| player.rescore(number, &game, stop);
    in_order(settings, first, threads, stop, &take, &score, each)
}

/// Has several players do something with each thing there is to take, and hands over the games in order.
fn in_order<T, R: Send, E: From<SelfPlayError>>(
    settings: &Settings,
    first: u64,
    threads: usize,
    stop: &AtomicBool,
    take: &(impl Fn() -> Option<(u64, T)> + Sync),
    work: &(impl Fn(&mut Player, u64, T) -> Result<Option<R>, SelfPlayError> + Sync),
    mut each: impl FnMut(u64, R) -> Result<(), E>,
) -> Result<(), E> {
    let (sender, played) = channel::<Done<R>>();
    std::thread::scope(|scope| {
        let mut workers = Vec::new();
        for _ in 0..threads.max(1) {
            let sender = sender.clone();
            let builder = std::thread::Builder::new().stack_size(engine::STACK_SIZE);
            let worker = builder.spawn_scoped(scope, move || work_off(settings, take, work, stop, &sender));
            workers.push(worker.map_err(|_| SelfPlayError::Thread)?);
        }
        drop(sender);
        // Games that came before one with a lower number.
        let mut waiting = BTreeMap::new();
        let mut due = first;
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
        if workers.into_iter().any(|worker| worker.join().is_err()) {
            return Err(SelfPlayError::Thread.into());
        }
        Ok(())
    })
}

fn work_off<T, R>(
    settings: &Settings,
    take: &impl Fn() -> Option<(u64, T)>,
    work: &impl Fn(&mut Player, u64, T) -> Result<Option<R>, SelfPlayError>,
    stop: &AtomicBool,
    sender: &Sender<Done<R>>,
) {
    let mut player = None;
    while !stop.load(Ordering::Relaxed) {
        let Some((number, thing)) = take() else { return };
        let play = || {
            let player = match &mut player {
                Some(player) => player,
                none => none.insert(Player::new(settings)?),
            };
            work(player, number, thing)
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
