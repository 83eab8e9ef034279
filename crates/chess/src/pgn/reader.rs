//! Going through a file of games.

use super::lexer::{Lexer, Place, Token, TokenKind};
use super::{
    MAX_DEPTH, MAX_GAME_BYTES, MAX_TAGS, MAX_TOKEN_BYTES, Nag, PgnError, PgnErrorKind, PgnGame, tags, tree,
};
use crate::{GameResult, Move, Position, SanError};
use std::io::Read;
use std::ops::ControlFlow;

/// Receives everything in a game, in the order of the text. Every method does nothing by itself, so that
/// a visitor names only what it wants.
pub trait Visitor {
    /// A game begins.
    fn begin_game(&mut self) {}

    /// A tag, its value without quotation marks and escapes.
    fn tag(&mut self, _name: &str, _value: &str) {}

    /// The moves begin, from this position; all tags have been seen. Breaking off leaves out the rest of
    /// the game, unread and unchecked.
    fn begin_moves(&mut self, _start: &Position) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// A legal move and the position it is played in.
    fn play(&mut self, _before: &Position, _mv: Move) {}

    /// A passed move, written `--` or `Z0`: no move of chess, but annotators use it to show a threat.
    fn pass(&mut self, _before: &Position) {}

    /// An annotation of the last move.
    fn nag(&mut self, _nag: Nag) {}

    /// A comment as it is written; [`Comment::parse`](super::Comment::parse) finds clocks and
    /// evaluations in it. One before the first move may come before `begin_moves`.
    fn comment(&mut self, _text: &str) {}

    /// A variation begins that replaces the last move.
    fn begin_variation(&mut self) {}

    /// The innermost variation ends.
    fn end_variation(&mut self) {}

    /// The game ends, with a result if the text has one.
    fn end_game(&mut self, _result: Option<GameResult>) {}
}

/// How much is read, so that a text from outside does not decide how much memory it takes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ReadLimits {
    /// Tags, moves, annotations, comments and variations of all games together. Nothing is read after them.
    pub items: usize,
    /// Variations within each other; never more than [`MAX_DEPTH`].
    pub depth: usize,
}

impl Default for ReadLimits {
    /// No limit but that of the depth.
    fn default() -> Self {
        Self { items: usize::MAX, depth: MAX_DEPTH }
    }
}

/// Reads games from anything that can be read; it has its own buffer.
pub struct Reader<R> {
    lexer: Lexer<R>,
    limits: ReadLimits,
    /// Items read so far.
    items: usize,
    /// A tag that has ended one game and begins the next.
    pending: Option<Token>,
    game: u64,
    /// Around each open variation: the position before the last move, and after it.
    outer: Vec<(Position, Position)>,
    /// The usual start, made once.
    standard_start: Position,
    /// Comments before the first move of a game without tags.
    preamble: Vec<String>,
    /// Room for text that has to be changed from what is in the file.
    text: String,
}

type Failure = (Place, PgnErrorKind);

/// What the tags say about the start of the game.
#[derive(Default)]
struct Header {
    start: Option<Position>,
    tags: usize,
    has_event: bool,
    /// The first thing that is wrong. The other tags are still read, so as not to be taken for those of
    /// the next game.
    fault: Option<Failure>,
}

/// What a word among the moves does to the position.
enum Step {
    Move(Move),
    Pass,
    Stay,
}

impl<R: Read> Reader<R> {
    /// A reader at the beginning of a file.
    #[must_use]
    pub fn new(source: R) -> Self {
        Self {
            lexer: Lexer::new(source),
            limits: ReadLimits::default(),
            items: 0,
            pending: None,
            game: 0,
            outer: Vec::new(),
            standard_start: Position::startpos(),
            preamble: Vec::new(),
            text: String::new(),
        }
    }

    /// Reads no more than this.
    #[must_use]
    pub fn with_limits(mut self, limits: ReadLimits) -> Self {
        self.limits = ReadLimits { depth: limits.depth.min(MAX_DEPTH), ..limits };
        self
    }

    /// The next token, counted if it is kept.
    #[inline]
    fn next_token(&mut self) -> Result<Token, Failure> {
        let token = self.lexer.next()?;
        if !matches!(token.kind, TokenKind::Number | TokenKind::Result(_) | TokenKind::End) {
            self.items += 1;
            if self.items > self.limits.items {
                return Err((token.place, PgnErrorKind::TooManyItems { limit: self.limits.items }));
            }
        }
        Ok(token)
    }

    /// How many bytes have been read, for a progress bar.
    #[must_use]
    pub fn bytes_read(&self) -> u64 {
        self.lexer.position()
    }

    /// Reads one game; `false` means that there is none left.
    ///
    /// # Errors
    /// When the game is faulty. The visitor has then seen what comes before the fault, and the next call
    /// reads the next game. After an error of the source itself there is none.
    pub fn visit_game<V: Visitor>(&mut self, visitor: &mut V) -> Result<bool, PgnError> {
        self.outer.clear();
        if self.items > self.limits.items {
            return Ok(false);
        }
        let outcome = match self.first_token() {
            Ok(Token { kind: TokenKind::End, .. }) => return Ok(false),
            Ok(token) => self.visit_from(token, visitor),
            Err(failure) => self.fail(failure),
        };
        self.game += 1;
        outcome.map_err(|(Place { line, column }, kind)| PgnError { game: self.game, line, column, kind })
    }

    /// The token that a game begins with. Comments before it are kept aside.
    fn first_token(&mut self) -> Result<Token, Failure> {
        self.preamble.clear();
        if let Some(token) = self.pending.take() {
            return Ok(token);
        }
        let mut kept_bytes = 0;
        loop {
            let token = self.next_token()?;
            match token.kind {
                TokenKind::Comment => {
                    let comment = tags::decode(self.lexer.text(token), &mut self.text);
                    kept_bytes += comment.len();
                    if kept_bytes <= MAX_TOKEN_BYTES {
                        self.preamble.push(comment.to_owned());
                    }
                }
                // Neither moves nor tags: left over from the game before.
                TokenKind::Result(_) => {}
                _ => return Ok(token),
            }
        }
    }

    fn visit_from<V: Visitor>(&mut self, first: Token, visitor: &mut V) -> Result<bool, Failure> {
        let begin = self.lexer.position();
        visitor.begin_game();
        // Before tags they belong to no game: to the file, or to the end of the game before.
        if first.kind != TokenKind::Tag {
            self.preamble.drain(..).for_each(|comment| visitor.comment(&comment));
        }
        let mut header = Header::default();
        let token = self.visit_header(first, &mut header, visitor);
        if let Some(fault) = header.fault {
            self.skip_game(Some(token));
            return Err(fault);
        }
        let start = header.start.unwrap_or(self.standard_start);
        if visitor.begin_moves(&start).is_break() {
            self.skip_game(Some(token));
            return Ok(true);
        }
        match self.visit_moves(token, start, begin, visitor) {
            Ok(result) => {
                visitor.end_game(result);
                Ok(true)
            }
            Err(failure) => self.fail(failure),
        }
    }

    /// Reads the tags and gives the first token after them.
    fn visit_header<V: Visitor>(&mut self, first: Token, header: &mut Header, visitor: &mut V) -> Token {
        let begin = self.lexer.position();
        let mut token = first;
        loop {
            match token.kind {
                TokenKind::Tag => match self.visit_tag(token, header, visitor) {
                    Ok(true) => {}
                    Ok(false) => return token,
                    Err(kind) => header.fault = header.fault.take().or(Some((token.place, kind))),
                },
                TokenKind::Comment if header.fault.is_none() => {
                    visitor.comment(tags::decode(self.lexer.text(token), &mut self.text));
                }
                TokenKind::Comment => {}
                _ => return token,
            }
            if self.lexer.position() - begin > MAX_GAME_BYTES {
                header.fault = header.fault.take().or(Some((token.place, PgnErrorKind::GameTooLong)));
            }
            token = loop {
                match self.next_token() {
                    Ok(token) => break token,
                    Err(failure) => header.fault = header.fault.take().or(Some(failure)),
                }
            };
        }
    }

    /// Reads a tag; `false` if it belongs to the next game already.
    fn visit_tag<V: Visitor>(
        &mut self,
        token: Token,
        header: &mut Header,
        visitor: &mut V,
    ) -> Result<bool, PgnErrorKind> {
        let (name, value) = tags::split(self.lexer.text(token)).ok_or(PgnErrorKind::Tag)?;
        if name == b"Event" {
            if header.has_event {
                return Ok(false);
            }
            header.has_event = true;
        }
        if header.fault.is_some() {
            return Ok(true);
        }
        header.tags += 1;
        if header.tags > MAX_TAGS {
            return Err(PgnErrorKind::TooManyTags);
        }
        // The name is ASCII, as `split` has seen.
        let name = std::str::from_utf8(name).unwrap_or_default();
        let value = tags::value(value, &mut self.text);
        match name {
            "FEN" => header.start = Some(Position::from_fen(value.trim())?),
            "Variant" if !tags::is_known_variant(value) => {
                return Err(PgnErrorKind::Variant { name: value.chars().take(40).collect() });
            }
            _ => {}
        }
        visitor.tag(name, value);
        Ok(true)
    }

    fn visit_moves<V: Visitor>(
        &mut self,
        first: Token,
        start: Position,
        begin: u64,
        visitor: &mut V,
    ) -> Result<Option<GameResult>, Failure> {
        let mut position = start;
        // The position before the last move of this line, where a variation would begin.
        let mut before: Option<Position> = None;
        let mut token = first;
        loop {
            match token.kind {
                TokenKind::Word => {
                    let word = self.lexer.text(token);
                    match visit_word(word, &position, before.is_some(), visitor) {
                        Ok(Step::Move(mv)) => {
                            before = Some(position);
                            position.play(mv);
                        }
                        Ok(Step::Pass) => {
                            before = Some(position);
                            position.play_null();
                        }
                        Ok(Step::Stay) => {}
                        Err(kind) => return Err((token.place, kind)),
                    }
                }
                TokenKind::Nag(nag) => visitor.nag(nag),
                TokenKind::Comment => visitor.comment(tags::decode(self.lexer.text(token), &mut self.text)),
                TokenKind::Open => {
                    let fork = before.take().ok_or((token.place, PgnErrorKind::VariationWithoutMove))?;
                    let limit = self.limits.depth;
                    if self.outer.len() == limit {
                        return Err((token.place, PgnErrorKind::TooDeep { limit }));
                    }
                    self.outer.push((fork, position));
                    position = fork;
                    visitor.begin_variation();
                }
                TokenKind::Close => {
                    let (fork, after) =
                        self.outer.pop().ok_or((token.place, PgnErrorKind::UnopenedVariation))?;
                    before = Some(fork);
                    position = after;
                    visitor.end_variation();
                }
                TokenKind::Result(result) if self.outer.is_empty() => return Ok(Some(result)),
                // Some programs end a variation with the result it would have.
                TokenKind::Number | TokenKind::Result(_) => {}
                TokenKind::Tag | TokenKind::End => {
                    self.pending = Some(token);
                    return match self.outer.is_empty() {
                        true => Ok(None),
                        false => Err((token.place, PgnErrorKind::UnclosedVariation)),
                    };
                }
            }
            if self.lexer.position() - begin > MAX_GAME_BYTES {
                return Err((token.place, PgnErrorKind::GameTooLong));
            }
            token = self.next_token()?;
        }
    }

    #[cold]
    fn fail(&mut self, failure: Failure) -> Result<bool, Failure> {
        if self.pending.is_none() && self.items <= self.limits.items {
            self.skip_game(None);
        }
        Err(failure)
    }

    /// Skips to the end of the game without understanding it: to its result, or to the tags of the
    /// next game.
    fn skip_game(&mut self, first: Option<Token>) {
        let mut depth = self.outer.len();
        let mut next = first.map(Ok);
        loop {
            // Errors do not matter here; after one of the source itself comes the end.
            let Ok(token) = next.take().unwrap_or_else(|| self.lexer.next()) else { continue };
            match token.kind {
                TokenKind::End | TokenKind::Tag => {
                    self.pending = Some(token);
                    return;
                }
                TokenKind::Result(_) if depth == 0 => return,
                TokenKind::Open => depth += 1,
                TokenKind::Close => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
    }
}

/// A word among the moves: a move, perhaps with a sign of praise, or such a sign alone.
#[inline]
fn visit_word<V: Visitor>(
    word: &[u8],
    position: &Position,
    after_move: bool,
    visitor: &mut V,
) -> Result<Step, PgnErrorKind> {
    match position.parse_san_bytes(word) {
        Ok(mv) => {
            visitor.play(position, mv);
            if let Some(b'!' | b'?') = word.last() {
                let is_sign = |byte: &u8| matches!(byte, b'!' | b'?');
                let signs = word.iter().rev().take_while(|byte| is_sign(byte)).count();
                if let Some(nag) = Nag::from_sign(&word[word.len() - signs..]) {
                    visitor.nag(nag);
                }
            }
            Ok(Step::Move(mv))
        }
        Err(error) => {
            if let Some(nag) = Nag::from_sign(word).filter(|_| after_move) {
                visitor.nag(nag);
                return Ok(Step::Stay);
            }
            // What belongs to the move before, written apart from it.
            if after_move && matches!(word, b"e.p." | b"ep" | b"mate" | b"+" | b"++" | b"#" | b"ch") {
                return Ok(Step::Stay);
            }
            if matches!(error, SanError::NullMove { .. }) && !position.is_check() {
                visitor.pass(position);
                return Ok(Step::Pass);
            }
            Err(error.into())
        }
    }
}

/// The games as trees. A faulty game is an error, and the next comes after it.
impl<R: Read> Iterator for Reader<R> {
    type Item = Result<PgnGame, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut builder = tree::TreeBuilder::default();
        match self.visit_game(&mut builder) {
            Ok(false) => None,
            Ok(true) => Some(Ok(builder.finish())),
            Err(error) => Some(Err(error)),
        }
    }
}
