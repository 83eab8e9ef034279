//! Games that were played on a device and are sent to a server.
//!
//! A game keeps its identifier, so that sending it twice, because the answer to the first time was lost, changes nothing.

use crate::backend::Backend;
use crate::error::{Code, Error, Result};
use crate::levels;
use crate::random;
use crate::record::{GameKind, Player, Record, now};
use crate::services::Visitor;
use crate::store::Access;
use crate::stored::StoredGame;
use chess::Game;
use classics::ClassicSpec;

/// The longest name of a player.
const MAX_NAME_CHARS: usize = 60;

/// Takes a game over. One that is there already grows by the moves that it lacks; if it has gone on differently it stays as
/// it is.
pub(crate) async fn take(backend: &Backend, visitor: &Visitor, game: StoredGame) -> Result<()> {
    let mut record = read(visitor, game)?;
    let store = &backend.services.store;
    if store.access(&record.id, visitor).await? == Access::None && store.load(&record.id).await.is_err() {
        let bytes = record.pgn.as_ref().map_or(0, String::len);
        backend.services.rights.make_room(visitor, 1, bytes as u64).await?;
        return store.insert(vec![record], vec![visitor.to_string()]).await;
    }
    backend.check_player(visitor, &record.id).await?;
    let session = match backend.sessions.get(&backend.services, &record.id).await {
        Err(error) if error.code == Code::NotFound => return Ok(()), // It was deleted here, and stays so.
        session => session?,
    };
    let mut live = session.lock().await;
    let here = live.record();
    if begins_with(&here.game, &record.game) {
        return Ok(());
    }
    if !begins_with(&record.game, &here.game) {
        return Err(Error::illegal("the game has gone on differently on the server; both are kept"));
    }
    record.revision = here.revision.max(record.revision);
    store.save(record.clone(), here.game.ply()).await?;
    live.take_over(record);
    Ok(())
}

/// Whether a game has all moves of another, and is over if that is.
fn begins_with(game: &Game, other: &Game) -> bool {
    game.start() == other.start()
        && game.ply() >= other.ply()
        && game.moves().zip(other.moves()).all(|(one, two)| one == two)
        && (game.ply() > other.ply() || game.outcome() == other.outcome() || other.outcome().is_none())
}

/// Reads what a client has sent, which may be anything.
fn read(visitor: &Visitor, game: StoredGame) -> Result<Record> {
    if !random::is_game_id(&game.id) {
        return Err(Error::bad_request("the game has no identifier of ours"));
    }
    game.check_size()?;
    let mut record = game.read(visitor).map_err(|error| Error::bad_request(error.message))?;
    if record.kind == GameKind::Friend {
        return Err(Error::bad_request("games by link are played on a server only"));
    }
    for player in &record.players {
        match player {
            Player::Person { name, .. } if name.chars().count() > MAX_NAME_CHARS => {
                return Err(Error::bad_request("a name is too long"));
            }
            Player::Person { .. } => {}
            Player::Level { id } => drop(levels::find(id)?),
            Player::Classic { id } => {
                id.parse::<ClassicSpec>().map_err(|_| Error::bad_request("there is no such classic"))?;
            }
        }
    }
    let now = now();
    record.created = record.created.clamp(0, now);
    record.updated = record.updated.clamp(0, now);
    record.revision = record.revision.clamp(0, now);
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(moves: &[&str]) -> Game {
        let mut game = Game::new();
        for san in moves {
            game.play(game.position().parse_san(san).expect("a move")).expect("legal");
        }
        game
    }

    #[test]
    fn a_game_begins_with_what_was_played_of_it() {
        let (long, short, other) = (game(&["e4", "e5"]), game(&["e4"]), game(&["d4"]));
        assert!(begins_with(&long, &short) && begins_with(&long, &long));
        assert!(!begins_with(&short, &long) && !begins_with(&long, &other));
        let mut resigned = short.clone();
        resigned.resign(chess::Color::White).expect("a game in progress");
        assert!(begins_with(&resigned, &short) && !begins_with(&short, &resigned));
    }
}
