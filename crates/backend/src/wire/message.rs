//! Messages over the WebSocket.

use super::analysis::{AnalyseRequest, Analysis};
use super::coach::Remark;
use super::game::{GameState, Offer};
use super::position::Color;
use super::review::{Effort, Review};
use crate::error::Error;
use serde::{Deserialize, Serialize};

/// What the page sends. Every message has an `id` of its choice; the answer carries it as `re`.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Request {
    pub id: u64,
    #[serde(flatten)]
    pub command: Command,
}

/// What the page wants.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Command {
    /// Answered with the state; then `game` comes after every change. To be sent again after a reconnect.
    Watch { game: String },
    /// Ends that.
    Unwatch { game: String },
    /// `ply`: how many moves were played before this one. Sending the same move twice is harmless.
    Move { game: String, ply: usize, r#move: String },
    /// Against engines and at one board done at once, else offered.
    Takeback { game: String },
    /// Offers a draw; an engine answers at once.
    Draw { game: String },
    /// Claims a draw by repetition or the fifty-move rule.
    Claim { game: String },
    /// At one board: the side to move resigns, unless `color` is given.
    Resign { game: String, color: Option<Color> },
    /// Same opponents, colours changed. Answered with the new game, unless a friend must agree.
    Rematch { game: String },
    /// Accepts or declines an offer.
    Answer { game: String, to: Offer, accept: bool },
    /// At full strength, whatever the opponent.
    Hint { game: String },
    /// Engine against engine.
    Pause { game: String, paused: bool },
    /// One at a time; a new one ends the one before.
    Analyse(AnalyseRequest),
    /// Ends the analysis.
    Stop,
    /// Of a saved game (import a PGN first). It runs for ten seconds more when the page leaves; asking again
    /// joins it.
    Review { game: String, effort: Option<Effort> },
    /// Ends the review.
    Cancel { game: String },
    /// Answered with `pong`.
    Ping,
}

/// What the server sends.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Message {
    /// The first message.
    Hello {
        version: &'static str,
        #[cfg_attr(test, ts(type = "1"))]
        api: u32,
    },
    /// Done; what was changed is on disk.
    Ok,
    /// Refused.
    Error { error: Error },
    /// Answer to `watch` and `rematch`, and news.
    Game { game: Box<GameState> },
    /// The best move, and three steps that lead to it: what to look at, the idea, the move.
    Hint { uci: String, san: String, steps: Vec<Remark> },
    /// `re` is the id of the request, in every one. Intermediate ones may be left out when the client is slow.
    Analysis { analysis: Analysis },
    /// `re` as above; `done` of `total` positions.
    Reviewing { game: String, done: usize, total: usize },
    /// The end of a review.
    Review { review: Box<Review> },
    /// Answer to `ping`.
    Pong,
    /// The opponent declined an offer.
    Declined { game: String, offer: Offer },
    /// The game was deleted.
    Gone { game: String },
    /// The server is about to stop; reconnect in a while.
    Bye,
}

/// A message of the server: answers with `re`, the id of the request, and news without.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Message"))]
pub struct Envelope {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub re: Option<u64>,
    #[serde(flatten)]
    pub message: Message,
}

#[cfg(test)]
mod tests {
    use super::super::Score;
    use super::*;

    #[test]
    fn messages_have_the_documented_shape() {
        let request: Request =
            serde_json::from_str(r#"{"id": 7, "type": "move", "game": "x", "ply": 0, "move": "e2e4"}"#)
                .expect("a request");
        assert_eq!(request.id, 7);
        assert!(matches!(request.command, Command::Move { ply: 0, r#move, .. } if r#move == "e2e4"));
        let text = r#"{"id": 1, "type": "analyse", "fen": "8/8/8/8/8/8/8/8 w - - 0 1", "lines": 3}"#;
        let request: Request = serde_json::from_str(text).expect("a request");
        assert!(matches!(request.command, Command::Analyse(AnalyseRequest { lines: Some(3), .. })));
        let envelope = Envelope { re: Some(7), message: Message::Ok };
        assert_eq!(serde_json::to_string(&envelope).expect("JSON"), r#"{"re":7,"type":"ok"}"#);
        let bye = Envelope { re: None, message: Message::Bye };
        assert_eq!(serde_json::to_string(&bye).expect("JSON"), r#"{"type":"bye"}"#);
        assert_eq!(serde_json::to_string(&Score::Mate(-2)).expect("JSON"), r#"{"mate":-2}"#);
    }
}
