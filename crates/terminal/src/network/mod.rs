//! Games on a Gardez server, played with typed lines: JavaChess's network player, over today's network.
//!
//! The server keeps the game, its clocks and its rules; what is shown is always the whole state that it sent last. So a
//! lost connection loses nothing: it is opened again, and the state comes anew.

mod connection;
mod server;
mod state;

pub use server::{Invitation, NetworkError, Server};

use crate::board::{BoardView, Look};
use crate::command;
use crate::lines::read_lines;
use crate::words::{self, sentence, wrapped};
use chess::{Color, Game};
use connection::News;
use serde_json::{Value, json};
use state::GameState;
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{self, Receiver, Sender};

/// A game on a server, ready to be played.
pub struct NetworkGame {
    server: Server,
    state: GameState,
}

impl NetworkGame {
    /// Follows a link to the free seat of a game, or to one to watch.
    ///
    /// # Errors
    /// When the link is none, or the server refuses.
    pub fn join(link: &str) -> Result<Self, NetworkError> {
        let (address, token) = server::split_link(link)?;
        let server = Server::at(address)?;
        let state = server.join(token)?;
        Ok(Self { server, state })
    }

    /// Opens a game on a server.
    ///
    /// # Errors
    /// When the server cannot be reached or refuses.
    pub fn invite(address: &str, invitation: &Invitation) -> Result<Self, NetworkError> {
        let server = Server::at(address)?;
        let state = server.invite(invitation)?;
        Ok(Self { server, state })
    }

    /// Plays until the input ends or says so. A script, which is not `interactive`, has its next line read when it is
    /// its turn.
    ///
    /// # Errors
    /// When nothing can be printed any more.
    pub fn run<R, W>(self, look: Look, interactive: bool, input: R, out: W) -> io::Result<()>
    where
        R: BufRead + Send + 'static,
        W: Write,
    {
        let (sender, messages) = mpsc::channel();
        let (permits, permitted) = mpsc::channel();
        let (requests, to_send) = mpsc::channel();
        let from_keyboard = sender.clone();
        let deliver_line = move |line| from_keyboard.send(Message::Line(line)).is_ok();
        std::thread::Builder::new()
            .name("reader".to_owned())
            .spawn(move || read_lines(input, &permitted, deliver_line))?;
        let (server, id) = (self.server.clone(), self.state.id.clone());
        let network = std::thread::Builder::new().name("network".to_owned()).spawn(move || {
            connection::work(&server, id, &to_send, &|news| sender.send(Message::News(news)).is_ok());
        })?;
        let mut view = View {
            server: self.server,
            look,
            interactive,
            out,
            requests,
            shown: None,
            game: Game::new(),
            prompted: false,
            waits_for_line: false,
            awaited: None,
        };
        view.show(self.state)?;
        view.converse(&messages, &permits)?;
        // The connection ends in good order when there is no one left to send for it.
        drop(view);
        let _ = network.join();
        Ok(())
    }
}

enum Message {
    /// A line, or the end of the input.
    Line(Option<String>),
    News(News),
}

struct View<W> {
    server: Server,
    look: Look,
    interactive: bool,
    out: W,
    requests: Sender<Value>,
    /// The state shown last.
    shown: Option<GameState>,
    game: Game,
    prompted: bool,
    waits_for_line: bool,
    /// What was sent and not answered yet.
    awaited: Option<Awaited>,
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum Awaited {
    /// A move after this many half-moves.
    Move(usize),
    Other,
}

/// What may be typed.
const MANUAL: &str = "\
Type a move, as e4, Nf3, O-O, e8=Q or e2e4; or a command.
  undo, draw       offer to take a move back, or a draw
  accept, decline  answer an offer
  claim, resign    claim a draw that is due, or resign
  rematch          offer another game when this one is over
  board, score, fen, clocks, moves
  quit             leave; the server keeps the game
";

impl<W: Write> View<W> {
    fn converse(&mut self, messages: &Receiver<Message>, permits: &Sender<()>) -> io::Result<()> {
        loop {
            self.prompt()?;
            if !self.waits_for_line && (self.prompted || self.interactive) {
                self.waits_for_line = true;
                let _ = permits.send(());
            }
            match messages.recv() {
                Ok(Message::News(news)) => self.report(news)?,
                Ok(Message::Line(Some(line))) => {
                    self.waits_for_line = false;
                    self.prompted = false;
                    if !self.interactive {
                        writeln!(self.out, "{line}")?;
                    }
                    if !self.execute(&line)? {
                        return self.out.flush();
                    }
                }
                Ok(Message::Line(None)) | Err(_) => {
                    writeln!(self.out)?;
                    return self.out.flush();
                }
            }
        }
    }

    fn side(&self) -> Option<Color> {
        self.shown.as_ref().and_then(GameState::side)
    }

    fn prompt(&mut self) -> io::Result<()> {
        let is_over = self.shown.as_ref().is_some_and(|state| state.outcome.is_some());
        let position = self.game.position();
        let is_own = self.side() == Some(position.turn());
        if self.prompted || self.awaited.is_some() || !(is_over || is_own) {
            return self.out.flush();
        }
        match is_over {
            true => write!(self.out, "game over> ")?,
            false => write!(self.out, "{}. {}> ", position.fullmove_number(), position.turn())?,
        }
        self.prompted = true;
        self.out.flush()
    }

    fn report(&mut self, news: News) -> io::Result<()> {
        let is_known = |state: &GameState| self.shown.as_ref().is_some_and(|shown| shown.includes(state));
        if matches!(&news, News::State(state) if is_known(state)) {
            return Ok(());
        }
        if news == News::Done {
            self.awaited.take_if(|awaited| *awaited == Awaited::Other);
            return Ok(());
        }
        if std::mem::take(&mut self.prompted) {
            writeln!(self.out)?;
        }
        match news {
            News::State(state) => self.show(*state),
            News::Refused(clause) => {
                self.awaited = None;
                writeln!(self.out, "{}", sentence(&clause))
            }
            News::Done => Ok(()),
            News::Declined(offer) => writeln!(self.out, "The {offer} is declined."),
            News::Gone => writeln!(self.out, "The game was deleted."),
            News::Lost => writeln!(self.out, "The connection is lost; it will be tried again and again."),
            News::Back => writeln!(self.out, "The connection is back."),
        }
    }

    /// Shows what is new in a state.
    fn show(&mut self, state: GameState) -> io::Result<()> {
        let Some(game) = state.game() else {
            return writeln!(self.out, "The server's game breaks the rules of chess.");
        };
        let before = self.shown.take().filter(|before| before.id == state.id);
        let is_new = before.is_none();
        if is_new {
            let [white, black] = Color::ALL.map(|color| &state.player(color).name);
            writeln!(self.out, "{white} plays White, {black} plays Black. Type help for the commands.")?;
            match state.side() {
                Some(side) => writeln!(self.out, "You play {side}.")?,
                None => writeln!(self.out, "You watch.")?,
            }
        }
        self.show_players(before.as_ref(), &state)?;
        let common = if is_new { game.ply() } else { self.game.ply().min(game.ply()) };
        if game.ply() < self.game.ply() && !is_new {
            writeln!(self.out, "Taken back.")?;
        }
        for ply in common..game.ply() {
            if let (Some(position), Some(played)) = (game.position_at(ply), game.plies().get(ply)) {
                writeln!(self.out, "{} plays {}.", position.turn(), position.san(played.mv))?;
            }
        }
        let is_changed = is_new || game.position() != self.game.position();
        self.game = game;
        let is_over = state.outcome.is_some();
        self.awaited.take_if(|awaited| match awaited {
            Awaited::Move(ply) => is_over || self.game.ply() > *ply,
            Awaited::Other => true,
        });
        let is_over_now =
            state.outcome.is_some() && before.as_ref().is_none_or(|before| before.outcome.is_none());
        if is_changed {
            let bottom = state.side().unwrap_or(Color::White);
            let view = BoardView { look: self.look, bottom };
            writeln!(self.out, "{}", view.draw(self.game.position(), self.game.last_move()))?;
        }
        if is_changed && state.clocks().is_some() {
            self.show_clocks(&state)?;
        }
        if let (Some(outcome), true) = (&state.outcome, is_over_now) {
            writeln!(self.out, "{} {}", outcome.result, sentence(&outcome.text))?;
        }
        self.show_offer(before.as_ref(), &state)?;
        self.shown = Some(state);
        Ok(())
    }

    /// Who waits, has come, or has gone.
    fn show_players(&mut self, before: Option<&GameState>, state: &GameState) -> io::Result<()> {
        if let (Some(path), None) = (state.invitation(), before.and_then(GameState::invitation)) {
            writeln!(self.out, "Waiting for an opponent: {}", self.server.link(path))?;
        }
        let Some(before) = before else { return Ok(()) };
        for color in Color::ALL.into_iter().filter(|&color| state.side() != Some(color)) {
            let (earlier, now) = (before.player(color), state.player(color));
            let what = match (earlier.seated, now.seated, earlier.present, now.present) {
                (false, true, ..) => "has joined",
                (true, true, true, false) => "is away",
                (true, true, false, true) => "is here",
                _ => continue,
            };
            writeln!(self.out, "{} ({color}) {what}.", now.name)?;
        }
        Ok(())
    }

    fn show_offer(&mut self, before: Option<&GameState>, state: &GameState) -> io::Result<()> {
        let Some(other) = state.side().map(|side| !side) else { return Ok(()) };
        let offer = state.offers.by(other);
        match offer.filter(|_| offer != before.and_then(|before| before.offers.by(other))) {
            Some(offer) => writeln!(self.out, "{other} offers a {offer}: accept or decline."),
            None => Ok(()),
        }
    }

    fn show_clocks(&mut self, state: &GameState) -> io::Result<()> {
        match state.clocks() {
            Some([white, black]) => {
                writeln!(self.out, "White has {}, Black has {}.", words::time(white), words::time(black))
            }
            None => writeln!(self.out, "There is no clock."),
        }
    }

    /// Does what a line says. Returns whether to stay.
    fn execute(&mut self, line: &str) -> io::Result<bool> {
        let Some(state) = self.shown.clone() else { return Ok(true) };
        let request = match line.to_ascii_lowercase().as_str() {
            "" => return Ok(true),
            "quit" | "exit" => return Ok(false),
            "help" | "?" => {
                write!(self.out, "{MANUAL}")?;
                return Ok(true);
            }
            "board" => {
                let bottom = state.side().unwrap_or(Color::White);
                let board = BoardView { look: self.look, bottom };
                writeln!(self.out, "{}", board.draw(self.game.position(), self.game.last_move()))?;
                return Ok(true);
            }
            "score" | "fen" | "moves" | "clocks" => {
                self.answer_here(line, &state)?;
                return Ok(true);
            }
            "undo" | "takeback" => json!({"type": "takeback"}),
            word @ ("draw" | "claim" | "resign" | "rematch") => json!({"type": word}),
            word @ ("accept" | "decline") => {
                let offer = state.side().and_then(|side| state.offers.by(!side));
                let Some(offer) = offer else {
                    writeln!(self.out, "Nothing is offered.")?;
                    return Ok(true);
                };
                json!({"type": "answer", "to": offer, "accept": word == "accept"})
            }
            _ => match command::read_move(self.game.position(), line) {
                Ok(mv) => {
                    let uci = self.game.position().to_uci(mv, chess::CastlingStyle::Standard).to_string();
                    json!({"type": "move", "ply": self.game.ply(), "move": uci})
                }
                Err(clause) => {
                    writeln!(self.out, "{}", sentence(&clause))?;
                    return Ok(true);
                }
            },
        };
        let is_move = request["type"] == "move";
        self.awaited = Some(if is_move { Awaited::Move(self.game.ply()) } else { Awaited::Other });
        let _ = self.requests.send(request);
        Ok(true)
    }

    /// What needs no server.
    fn answer_here(&mut self, line: &str, state: &GameState) -> io::Result<()> {
        let position = self.game.position();
        match line {
            "fen" => writeln!(self.out, "{}", position.to_fen()),
            "clocks" => self.show_clocks(state),
            "moves" => {
                let moves = position.legal_moves().into_iter().map(|mv| position.san(mv).to_string());
                write!(self.out, "{}", wrapped(&moves.collect::<Vec<_>>()))
            }
            _ => write!(self.out, "{}", wrapped(&words::numbered(self.game.start(), self.game.moves()))),
        }
    }
}
