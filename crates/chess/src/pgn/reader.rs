//! Going through a file of games.

use super::lexer::{Lexer, Place, Token, TokenKind, Trouble};
use super::{
    MAX_DEPTH, MAX_FAULTS, MAX_GAME_BYTES, MAX_TAGS, MAX_TOKEN_BYTES, Nag, PgnError, PgnFault, PgnFaultKind,
    PgnGame, tags, tree,
};
use crate::coordinates::quote;
use crate::{FenReading, GameResult, Move, Position, SanError, Strictness};
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

    /// Something cannot be read. What follows in the same variation is left out if the fault
    /// [costs moves](PgnFault::costs_moves); all else is still reported.
    fn fault(&mut self, _fault: PgnFault) {}

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
    /// Faults before the first move or tag of a game.
    early_faults: Vec<PgnFault>,
    /// Faults of this game reported so far.
    faults: usize,
    /// Room for text that has to be changed from what is in the file.
    text: String,
    /// The last game as it is written.
    game_text: Vec<u8>,
}

/// What the tags say about the start of the game.
#[derive(Default)]
struct Header {
    start: Start,
    tags: usize,
    has_event: bool,
}

/// Where a game starts.
#[derive(Default)]
enum Start {
    #[default]
    Standard,
    Position(Box<Position>),
    /// Not known, so that the moves have no meaning.
    Unknown,
}

/// What a word among the moves does to the position.
enum Step {
    Move(Move),
    Pass,
    Stay,
    /// The word is left out.
    Fault(PgnFaultKind),
    /// The rest of the line cannot be understood.
    End(PgnFaultKind),
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
            early_faults: Vec::new(),
            faults: 0,
            text: String::new(),
            game_text: Vec::new(),
        }
    }

    /// Reads no more than this.
    #[must_use]
    pub fn with_limits(mut self, limits: ReadLimits) -> Self {
        self.limits = ReadLimits { depth: limits.depth.min(MAX_DEPTH), ..limits };
        self
    }

    /// A reader that keeps the text of each game, for [`game_text`](Self::game_text).
    #[must_use]
    pub fn keeping_text(source: R) -> Self {
        let mut reader = Self::new(source);
        reader.lexer.keep_text();
        reader
    }

    /// The last game as it is written, from its tags to its result, if the reader keeps texts and if it is not longer
    /// than [`MAX_GAME_BYTES`].
    ///
    /// ```
    /// use chess::pgn::{Reader, Visitor};
    ///
    /// struct Ignore;
    /// impl Visitor for Ignore {}
    ///
    /// let mut reader = Reader::keeping_text("[White \"A\"] 1. e4 {!} * [White \"B\"] *".as_bytes());
    /// assert!(reader.visit_game(&mut Ignore)?);
    /// assert_eq!(reader.game_text(), Some(&b"[White \"A\"] 1. e4 {!} *"[..]));
    /// # Ok::<(), chess::pgn::PgnError>(())
    /// ```
    #[must_use]
    pub fn game_text(&self) -> Option<&[u8]> {
        let is_whole = self.game_text.len() as u64 <= MAX_GAME_BYTES;
        is_whole.then(|| self.game_text.trim_ascii()).filter(|text| !text.is_empty())
    }

    /// How many bytes have been read, for a progress bar.
    #[must_use]
    pub fn bytes_read(&self) -> u64 {
        self.lexer.position()
    }

    fn fault_at(&self, place: Place, kind: PgnFaultKind) -> PgnFault {
        PgnFault { game: self.game, line: place.line, column: place.column, kind }
    }

    #[cold]
    fn report<V: Visitor>(&mut self, visitor: &mut V, place: Place, kind: PgnFaultKind) {
        self.faults += 1;
        if self.faults <= MAX_FAULTS {
            visitor.fault(self.fault_at(place, kind));
        }
    }

    /// Reads one game; `false` means that there is none left. Faults of the game are reported to the visitor.
    ///
    /// # Errors
    /// When the source cannot be read. There is then no other game.
    pub fn visit_game<V: Visitor>(&mut self, visitor: &mut V) -> Result<bool, PgnError> {
        self.outer.clear();
        if self.has_read_enough() {
            return Ok(false);
        }
        self.game += 1;
        self.faults = 0;
        let outcome = self.first_token().and_then(|token| match token.kind {
            // A file of rubbish is a game without moves, so that its faults are reported.
            TokenKind::End if self.early_faults.is_empty() => Ok(false),
            TokenKind::End if self.game > 1 && !self.has_read_enough() => Ok(false),
            _ => self.visit_from(token, visitor).map(|()| true),
        });
        if !matches!(outcome, Ok(true)) {
            self.game -= 1;
        }
        self.lexer.take_text(self.pending.is_some(), &mut self.game_text);
        outcome.map_err(|(Place { line, column }, source)| PgnError {
            game: self.game + 1,
            line,
            column,
            source,
        })
    }

    fn has_read_enough(&self) -> bool {
        self.items > self.limits.items
    }

    /// The next token, counted if it is kept.
    #[inline]
    fn next_counted(&mut self) -> Result<Token, (Place, Trouble)> {
        let token = self.lexer.next()?;
        if !matches!(token.kind, TokenKind::Number | TokenKind::Result(_) | TokenKind::End) {
            self.items += 1;
            if self.has_read_enough() {
                let fault = PgnFaultKind::TooManyItems { limit: self.limits.items };
                return Err((token.place, Trouble::Fault(fault)));
            }
        }
        Ok(token)
    }

    /// The next token; faults before it are reported. After the last item that may be read comes the end.
    #[inline]
    fn next_token<V: Visitor>(&mut self, visitor: &mut V) -> Result<Token, Failure> {
        loop {
            match self.next_counted() {
                Ok(token) => return Ok(token),
                Err((place, Trouble::Fault(kind))) if self.has_read_enough() => {
                    self.report(visitor, place, kind);
                    return Ok(Token::end(place));
                }
                Err((place, Trouble::Io(error))) => return Err((place, error)),
                Err((place, Trouble::Fault(kind))) => self.report(visitor, place, kind),
            }
        }
    }

    /// The token that a game begins with. Comments before it are kept aside, and so is what is wrong there.
    fn first_token(&mut self) -> Result<Token, Failure> {
        self.preamble.clear();
        self.early_faults.clear();
        if let Some(token) = self.pending.take() {
            return Ok(token);
        }
        let mut kept_bytes = 0;
        loop {
            let (place, kind) = match self.next_counted() {
                Ok(token) => match token.kind {
                    TokenKind::Comment => {
                        let comment = tags::decode(self.lexer.text(token), &mut self.text);
                        kept_bytes += comment.len();
                        if kept_bytes <= MAX_TOKEN_BYTES {
                            self.preamble.push(comment.to_owned());
                        }
                        continue;
                    }
                    // Neither moves nor tags: left over from the game before, or before the first move.
                    TokenKind::Result(_) | TokenKind::Number | TokenKind::Nag(_) => continue,
                    TokenKind::Close => (token.place, PgnFaultKind::UnopenedVariation),
                    TokenKind::Word if !names_square(self.lexer.text(token)) => {
                        if is_first_word(self.lexer.text(token)) {
                            return Ok(token);
                        }
                        (token.place, not_a_move(self.lexer.text(token)))
                    }
                    _ => return Ok(token),
                },
                Err((place, Trouble::Io(error))) => return Err((place, error)),
                Err((place, Trouble::Fault(kind))) if self.has_read_enough() => {
                    self.early_faults.push(self.fault_at(place, kind));
                    return Ok(Token::end(place));
                }
                Err((place, Trouble::Fault(kind))) => (place, kind),
            };
            if self.early_faults.len() < MAX_FAULTS {
                self.early_faults.push(self.fault_at(place, kind));
            }
        }
    }

    fn visit_from<V: Visitor>(&mut self, first: Token, visitor: &mut V) -> Result<(), Failure> {
        let begin = self.lexer.position();
        visitor.begin_game();
        if first.kind == TokenKind::Tag {
            self.lexer.begin_text();
        }
        self.faults = self.early_faults.len();
        self.early_faults.drain(..).for_each(|fault| visitor.fault(fault));
        // Before tags they belong to no game: to the file, or to the end of the game before.
        if first.kind != TokenKind::Tag {
            self.preamble.drain(..).for_each(|comment| visitor.comment(&comment));
        }
        let mut header = Header::default();
        let token = self.visit_header(first, &mut header, visitor)?;
        let start = match header.start {
            Start::Standard => self.standard_start,
            Start::Position(position) => *position,
            Start::Unknown => {
                let result = self.skip_game(token)?;
                visitor.end_game(result);
                return Ok(());
            }
        };
        if visitor.begin_moves(&start).is_break() {
            return self.skip_game(token).map(|_| ());
        }
        let result = self.visit_moves(token, start, begin, visitor)?;
        visitor.end_game(result);
        Ok(())
    }

    /// Reads the tags and gives the first token after them.
    fn visit_header<V: Visitor>(
        &mut self,
        first: Token,
        header: &mut Header,
        visitor: &mut V,
    ) -> Result<Token, Failure> {
        let begin = self.lexer.position();
        let mut token = first;
        let mut is_too_long = false;
        loop {
            match token.kind {
                TokenKind::Tag => match self.visit_tag(token, header, visitor) {
                    Ok(true) => {}
                    Ok(false) => return Ok(token),
                    Err(kind) => self.report(visitor, token.place, kind),
                },
                TokenKind::Comment if !is_too_long => {
                    visitor.comment(tags::decode(self.lexer.text(token), &mut self.text));
                }
                TokenKind::Comment => {}
                _ => return Ok(token),
            }
            if self.lexer.position() - begin > MAX_GAME_BYTES && !is_too_long {
                is_too_long = true;
                self.report(visitor, token.place, PgnFaultKind::GameTooLong);
            }
            token = self.next_token(visitor)?;
        }
    }

    /// Reads a tag; `false` if it belongs to the next game already.
    fn visit_tag<V: Visitor>(
        &mut self,
        token: Token,
        header: &mut Header,
        visitor: &mut V,
    ) -> Result<bool, PgnFaultKind> {
        let (name, value) = tags::split(self.lexer.text(token)).ok_or(PgnFaultKind::Tag)?;
        if name == b"Event" {
            if header.has_event {
                return Ok(false);
            }
            header.has_event = true;
        }
        header.tags += 1;
        if header.tags > MAX_TAGS {
            return if header.tags == MAX_TAGS + 1 { Err(PgnFaultKind::TooManyTags) } else { Ok(true) };
        }
        // The name is ASCII, as `split` has seen.
        let name = std::str::from_utf8(name).unwrap_or_default();
        let value = tags::value(value, &mut self.text);
        visitor.tag(name, value);
        match name {
            "FEN" => match Position::read_fen(value, Strictness::Lenient) {
                Ok(FenReading { position, warnings }) => {
                    header.start = Start::Position(Box::new(position));
                    for warning in warnings {
                        self.report(visitor, token.place, warning.into());
                    }
                }
                Err(error) => {
                    header.start = Start::Unknown;
                    return Err(error.into());
                }
            },
            "Variant" if !tags::is_known_variant(value) => {
                header.start = Start::Unknown;
                return Err(PgnFaultKind::Variant { name: value.chars().take(40).collect() });
            }
            _ => {}
        }
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
                        Step::Move(mv) => {
                            before = Some(position);
                            position.play(mv);
                        }
                        Step::Pass => {
                            before = Some(position);
                            position.play_null();
                        }
                        Step::Stay => {}
                        Step::Fault(kind) => self.report(visitor, token.place, kind),
                        Step::End(kind) => {
                            self.report(visitor, token.place, kind);
                            token = self.skip_line()?;
                            continue;
                        }
                    }
                }
                TokenKind::Nag(nag) => visitor.nag(nag),
                TokenKind::Comment => visitor.comment(tags::decode(self.lexer.text(token), &mut self.text)),
                TokenKind::Open => match before.filter(|_| self.outer.len() < self.limits.depth) {
                    Some(fork) => {
                        self.outer.push((fork, position));
                        (position, before) = (fork, None);
                        visitor.begin_variation();
                    }
                    None => {
                        let kind = match before {
                            Some(_) => PgnFaultKind::TooDeep { limit: self.limits.depth },
                            None => PgnFaultKind::VariationWithoutMove,
                        };
                        self.report(visitor, token.place, kind);
                        self.skip_variation(&mut token)?;
                        continue;
                    }
                },
                TokenKind::Close => match self.outer.pop() {
                    Some((fork, after)) => {
                        before = Some(fork);
                        position = after;
                        visitor.end_variation();
                    }
                    None => self.report(visitor, token.place, PgnFaultKind::UnopenedVariation),
                },
                TokenKind::Result(result) if self.outer.is_empty() => return Ok(Some(result)),
                // Some programs end a variation with the result it would have.
                TokenKind::Number | TokenKind::Result(_) => {}
                TokenKind::Tag | TokenKind::End => {
                    self.pending = Some(token);
                    if !self.outer.is_empty() {
                        self.report(visitor, token.place, PgnFaultKind::UnclosedVariation);
                        self.outer.drain(..).for_each(|_| visitor.end_variation());
                    }
                    return Ok(None);
                }
            }
            if self.lexer.position() - begin > MAX_GAME_BYTES {
                self.report(visitor, token.place, PgnFaultKind::GameTooLong);
                self.outer.drain(..).for_each(|_| visitor.end_variation());
                let token = self.understandable()?;
                return self.skip_game(token);
            }
            token = self.next_token(visitor)?;
        }
    }

    /// The next token, whatever is wrong before it.
    fn understandable(&mut self) -> Result<Token, Failure> {
        loop {
            match self.lexer.next() {
                Ok(token) => return Ok(token),
                Err((place, Trouble::Io(error))) => return Err((place, error)),
                Err(_) => {}
            }
        }
    }

    /// Skips the rest of a line, and gives the token that ends it: the end of its variation, or of the game.
    #[cold]
    fn skip_line(&mut self) -> Result<Token, Failure> {
        let mut depth = 0_usize;
        loop {
            let token = self.understandable()?;
            match token.kind {
                TokenKind::End | TokenKind::Tag => return Ok(token),
                TokenKind::Result(_) if depth == 0 && self.outer.is_empty() => return Ok(token),
                TokenKind::Open => depth += 1,
                TokenKind::Close if depth > 0 => depth -= 1,
                TokenKind::Close if !self.outer.is_empty() => return Ok(token),
                _ => {}
            }
        }
    }

    /// Skips a variation that has begun, and gives the token behind it.
    #[cold]
    fn skip_variation(&mut self, token: &mut Token) -> Result<(), Failure> {
        let mut depth = 1_usize;
        while depth > 0 {
            *token = self.understandable()?;
            match token.kind {
                TokenKind::End | TokenKind::Tag => return Ok(()),
                TokenKind::Open => depth += 1,
                TokenKind::Close => depth -= 1,
                _ => {}
            }
        }
        *token = self.understandable()?;
        Ok(())
    }

    /// Skips to the end of the game without understanding it: to its result, or to the tags of the
    /// next game.
    fn skip_game(&mut self, first: Token) -> Result<Option<GameResult>, Failure> {
        let mut depth = 0_usize;
        let mut token = first;
        loop {
            match token.kind {
                TokenKind::End | TokenKind::Tag => {
                    self.pending = Some(token);
                    return Ok(None);
                }
                TokenKind::Result(result) if depth == 0 => return Ok(Some(result)),
                TokenKind::Open => depth += 1,
                TokenKind::Close => depth = depth.saturating_sub(1),
                _ => {}
            }
            token = self.understandable()?;
        }
    }
}

/// Where the source failed, and how.
type Failure = (Place, std::io::Error);

/// Whether a word contains the name of a square, or of one beyond the board, as every move does that is not castling.
fn names_square(word: &[u8]) -> bool {
    word.windows(2).any(|pair| matches!(pair, [b'a'..=b'h', b'0'..=b'9']))
}

/// Whether a word that names no square can begin a game: castling, or a passed move.
fn is_first_word(word: &[u8]) -> bool {
    looks_like_castling(word) || matches!(word, b"--" | b"Z0")
}

fn looks_like_castling(word: &[u8]) -> bool {
    matches!(word, [b'O' | b'0' | b'o', b'-', b'O' | b'0' | b'o', ..])
}

fn not_a_move(word: &[u8]) -> PgnFaultKind {
    PgnFaultKind::Word { text: quote(&String::from_utf8_lossy(&word[..word.len().min(200)])) }
}

/// A word among the moves: a move, perhaps with a sign of praise, or such a sign alone.
#[inline]
fn visit_word<V: Visitor>(word: &[u8], position: &Position, after_move: bool, visitor: &mut V) -> Step {
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
            Step::Move(mv)
        }
        Err(error) => visit_other_word(word, error, position, after_move, visitor),
    }
}

#[cold]
fn visit_other_word<V: Visitor>(
    word: &[u8],
    error: SanError,
    position: &Position,
    after_move: bool,
    visitor: &mut V,
) -> Step {
    if let Some(nag) = Nag::from_sign(word).filter(|_| after_move) {
        visitor.nag(nag);
        return Step::Stay;
    }
    // What belongs to the move before, written apart from it.
    if after_move && matches!(word, b"e.p." | b"ep" | b"mate" | b"+" | b"++" | b"#" | b"ch") {
        return Step::Stay;
    }
    if matches!(error, SanError::NullMove { .. }) {
        if position.is_check() {
            return Step::End(error.into());
        }
        visitor.pass(position);
        return Step::Pass;
    }
    // A word that can be no move in any notation says nothing about the moves behind it.
    let may_be_move = names_square(word) || looks_like_castling(word);
    if may_be_move { Step::End(error.into()) } else { Step::Fault(not_a_move(word)) }
}

/// The games as trees, each with its [faults](PgnGame::faults). After an error of the source there is no other.
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
