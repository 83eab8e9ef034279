//! What players do with a game: moves, offers, claims, resignation, rematch.

use super::live_game::LiveGame;
use super::{Action, Done, Offer, new_game, opponent};
use crate::error::{Error, Result};
use crate::notation;
use crate::record::{GameKind, Player, Record, Sides};
use crate::services::Visitor;
use crate::store::Access;
use chess::Color;

impl LiveGame {
    /// Does what a visitor wants.
    pub(super) async fn perform(&mut self, visitor: &Visitor, action: Action) -> Result<Done> {
        let is_between_engines = self.record().kind == GameKind::Engines;
        match action {
            Action::TakeSeat(name) => return self.take_seat(visitor, name.as_deref()).await,
            Action::Reviewed => {
                self.set_reviewed();
                return Ok(Done::Ok);
            }
            Action::Pause(is_paused) if is_between_engines => {
                self.set_paused(is_paused);
                return Ok(Done::Ok);
            }
            Action::Rematch if is_between_engines => {
                return match self.services().access(&self.record().id, visitor).await? {
                    Access::Play | Access::Guest => self.rematch(visitor).await,
                    Access::None | Access::Watch | Access::Left => Err(only_watching()),
                };
            }
            _ => {}
        }
        let sides = self.sides_of(visitor).ok_or_else(only_watching)?;
        let turn = self.record().game.position().turn();
        // At one board the side to move is the one that acts.
        let color = if sides.plays(turn) { turn } else { !turn };
        match action {
            Action::Move { ply, text } => self.play(sides, ply, &text).await?,
            Action::Takeback => self.take_back(color).await?,
            Action::Draw => self.offer_draw(color).await?,
            Action::Claim => {
                if !sides.plays(turn) {
                    return Err(Error::illegal("only the side to move can claim a draw"));
                }
                self.declare(|record| record.game.claim_draw().map(drop).map_err(Error::illegal)).await?;
            }
            Action::Resign(side) => {
                let loser = side.unwrap_or(color);
                if !sides.plays(loser) {
                    return Err(Error::forbidden("you can resign for your own side only"));
                }
                self.declare(|record| record.game.resign(loser).map(drop).map_err(Error::illegal)).await?;
            }
            Action::Rematch => return self.offer_rematch(visitor, color).await,
            Action::Answer(offer, accepts) => return self.answer(visitor, color, offer, accepts).await,
            Action::Pause(_) => return Err(Error::illegal("only games between engines can be paused")),
            Action::TakeSeat(_) | Action::Reviewed => {}
        }
        Ok(Done::Ok)
    }

    async fn play(&mut self, sides: Sides, ply: usize, text: &str) -> Result<()> {
        let record = self.record();
        let played = record.game.ply();
        if ply < played {
            // Sent again after a lost connection: if it is there already, nothing is wrong.
            let before = record.game.position_at(ply);
            let known = record.game.plies()[ply].mv;
            return match before.map(|before| notation::read_move(before, text)) {
                Some(Ok(mv)) if mv == known => Ok(()),
                _ => Err(Error::illegal(format!("another move was played after {}", plies(ply)))),
            };
        }
        if ply > played {
            return Err(Error::illegal(format!("this game has {}, not {ply}", plies(played))));
        }
        self.check_not_over()?;
        if !sides.plays(record.game.position().turn()) {
            return Err(Error::illegal("it is not your turn"));
        }
        if record.is_invite_open {
            return Err(Error::illegal("the other player has not come yet"));
        }
        let mv = notation::read_move(record.game.position(), text)?;
        self.play_move(mv).await
    }

    fn check_not_over(&self) -> Result<()> {
        match self.record().game.outcome() {
            Some(outcome) => Err(Error::illegal(format!("the game is over: {outcome}"))),
            None => Ok(()),
        }
    }

    async fn take_back(&mut self, color: Color) -> Result<()> {
        let Some(plies) = self.plies_after_takeback(color) else {
            return Err(Error::illegal("there is no move of yours to take back"));
        };
        if self.record().kind == GameKind::Friend {
            self.offer(Offer::Takeback, color);
            return Ok(());
        }
        self.go_back(plies).await
    }

    async fn offer_draw(&mut self, color: Color) -> Result<()> {
        self.check_not_over()?;
        let is_offered = self.offers().by(Offer::Draw) == Some(!color);
        if self.record().kind == GameKind::Local || is_offered {
            return self.agree_draw().await;
        }
        self.offer(Offer::Draw, color);
        if self.record().player(!color).is_engine() {
            opponent::consider_draw(self, color);
        }
        Ok(())
    }

    pub(super) async fn agree_draw(&mut self) -> Result<()> {
        self.declare(|record| record.game.agree_draw().map(drop).map_err(Error::illegal)).await
    }

    async fn answer(&mut self, visitor: &Visitor, color: Color, offer: Offer, accepts: bool) -> Result<Done> {
        if self.offers().by(offer) != Some(!color) {
            return Err(Error::illegal("there is no such offer"));
        }
        match (offer, accepts) {
            (Offer::Draw, true) => self.agree_draw().await?,
            (Offer::Takeback, true) => match self.plies_after_takeback(!color) {
                Some(plies) => self.go_back(plies).await?,
                None => return Err(Error::illegal("there is no move to take back")),
            },
            (Offer::Rematch, true) => return self.rematch(visitor).await,
            (_, false) => self.decline(offer),
        }
        Ok(Done::Ok)
    }

    async fn offer_rematch(&mut self, visitor: &Visitor, color: Color) -> Result<Done> {
        let record = self.record();
        if !record.game.is_over() {
            return Err(Error::illegal("the game is not over yet"));
        }
        let needs_consent =
            record.kind == GameKind::Friend && self.offers().by(Offer::Rematch) != Some(!color);
        if !needs_consent || record.next.is_some() {
            return self.rematch(visitor).await;
        }
        self.offer(Offer::Rematch, color);
        Ok(Done::Ok)
    }

    /// Begins the next game, colours changed; once only, however often it is asked for.
    async fn rematch(&mut self, visitor: &Visitor) -> Result<Done> {
        if let Some(next) = &self.record().next {
            return Ok(Done::NewGame(next.clone()));
        }
        let record = new_game::rematch(self.record())?;
        let next = record.id.clone();
        self.services().rights.make_room(visitor, 1, 0).await?;
        self.services().store.insert_rematch(record, &self.record().id, visitor).await?;
        self.declare(|record| {
            record.next = Some(next.clone());
            Ok(())
        })
        .await?;
        Ok(Done::NewGame(next))
    }

    /// Gives the free seat to the visitor who has the invitation.
    async fn take_seat(&mut self, visitor: &Visitor, name: Option<&str>) -> Result<Done> {
        let Some(color) = free_seat(self.record()) else {
            return match self.record().players.iter().any(|player| player.visitor() == Some(&**visitor)) {
                true => Ok(Done::Ok),
                false => Err(Error::illegal("the invitation has been taken already")),
            };
        };
        if self.record().player(!color).visitor() == Some(&**visitor) {
            // The host looked at the own link.
            return Ok(Done::Ok);
        }
        self.services().store.join(&self.record().id, visitor, Access::Guest).await?;
        let given = name.map(new_game::tidy_name).filter(|name| !name.is_empty());
        self.declare(|record| {
            if let Player::Person { visitor: seat, name } = &mut record.players[color.index()] {
                *seat = Some(visitor.to_string());
                if let Some(given) = given {
                    *name = given;
                }
            }
            record.is_invite_open = false;
            Ok(())
        })
        .await?;
        Ok(Done::Ok)
    }
}

pub(super) fn only_watching() -> Error {
    Error::forbidden("you are watching this game, not playing it")
}

/// The seat that an invitation is for.
fn free_seat(record: &Record) -> Option<Color> {
    if !record.is_invite_open {
        return None;
    }
    let is_free = |color: &Color| matches!(record.player(*color), Player::Person { visitor: None, .. });
    Color::ALL.into_iter().find(is_free)
}

fn plies(count: usize) -> String {
    if count == 1 { "1 move".to_owned() } else { format!("{count} moves") }
}
