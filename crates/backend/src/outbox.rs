//! What a connection has yet to send.
//!
//! All answers are sent. Of news that replace each other, such as the states of a game, only the latest waits:
//! a slow client costs little memory and never misses the last.

use crate::error::Error;
use crate::session::{LiveGame, Observer, Offer};
use crate::view;
use crate::wire::{Envelope, Message};
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// Answers that may wait; a connection with more of them does not read at all.
const MAX_ANSWERS: usize = 1000;

/// The outbox.
#[derive(Default)]
pub struct Outbox {
    pending: Mutex<Pending>,
    filled: Notify,
}

#[derive(Default)]
struct Pending {
    answers: VecDeque<String>,
    latest: Vec<(String, String)>,
    is_overfull: bool,
}

/// The outbox is too full: the client does not read.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Overfull;

impl Outbox {
    fn pending(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Answers a request.
    pub fn answer(&self, re: u64, message: Message) {
        self.push(Some(re), message);
    }

    /// Answers with an error.
    pub fn refuse(&self, re: Option<u64>, error: Error) {
        self.push(re, Message::Error { error });
    }

    /// Sends what must not be left out.
    pub fn push(&self, re: Option<u64>, message: Message) {
        let text = to_text(re, message);
        let mut pending = self.pending();
        if pending.answers.len() >= MAX_ANSWERS {
            pending.is_overfull = true;
        } else {
            pending.answers.push_back(text);
        }
        drop(pending);
        self.filled.notify_one();
    }

    /// Sends news that replace those of the same key that are still waiting.
    pub fn push_latest(&self, key: &str, re: Option<u64>, message: Message) {
        let text = to_text(re, message);
        let mut pending = self.pending();
        match pending.latest.iter_mut().find(|(waiting, _)| waiting == key) {
            Some((_, waiting)) => *waiting = text,
            None => pending.latest.push((key.to_owned(), text)),
        }
        drop(pending);
        self.filled.notify_one();
    }

    /// Waits until there is something to send and takes it all.
    ///
    /// # Errors
    /// When too much had to wait.
    pub async fn take(&self) -> Result<Vec<String>, Overfull> {
        loop {
            let filled = self.filled.notified();
            {
                let mut pending = self.pending();
                if pending.is_overfull {
                    return Err(Overfull);
                }
                if !pending.answers.is_empty() || !pending.latest.is_empty() {
                    let mut texts: Vec<String> = pending.answers.drain(..).collect();
                    texts.extend(pending.latest.drain(..).map(|(_, text)| text));
                    return Ok(texts);
                }
            }
            filled.await;
        }
    }
}

/// What a game reports to a connection that watches it.
impl Observer for Outbox {
    fn show(&self, game: &LiveGame, visitor: &str) {
        let state = view::game_state(game, visitor);
        let key = format!("game {}", state.id);
        self.push_latest(&key, None, Message::Game { game: Box::new(state) });
    }

    fn declined(&self, game: &str, offer: Offer) {
        self.push(None, Message::Declined { game: game.to_owned(), offer: view::offer(offer) });
    }

    fn gone(&self, game: &str) {
        self.push(None, Message::Gone { game: game.to_owned() });
    }
}

fn to_text(re: Option<u64>, message: Message) -> String {
    serde_json::to_string(&Envelope { re, message }).unwrap_or_else(|error| {
        tracing::error!("a message cannot be written: {error}");
        r#"{"type":"error","error":{"code":"internal","message":"a message cannot be written"}}"#.to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_the_latest_news_wait() {
        let outbox = Outbox::default();
        outbox.push_latest("a", None, Message::Pong);
        outbox.push_latest("b", None, Message::Pong);
        outbox.push_latest("a", None, Message::Bye);
        outbox.answer(1, Message::Ok);
        let texts = outbox.take().await.expect("not full");
        assert_eq!(texts, [r#"{"re":1,"type":"ok"}"#, r#"{"type":"bye"}"#, r#"{"type":"pong"}"#]);
    }

    #[tokio::test]
    async fn a_client_that_never_reads_is_noticed() {
        let outbox = Outbox::default();
        for re in 0..=MAX_ANSWERS {
            outbox.answer(re as u64, Message::Ok);
        }
        assert_eq!(outbox.take().await, Err(Overfull));
    }
}
