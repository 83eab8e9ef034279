//! A game that is open: its record, who watches, what is offered, the clocks and the engine at work.
//!
//! All fields are private. Whatever changes a game goes through a method here that settles it: the right clock
//! runs, its flag timer is set, the engine thinks if it is its turn, and every watcher sees the new state. So
//! nothing outside can change a game and forget one of these.

use super::observed_classic::{LastSearch, ObservedClassic};
use super::opponent;
use super::{GameSession, Observer, Offer};
use crate::engines::{Choice, SeatedClassic};
use crate::error::{Error, Result};
use crate::notation::WrittenMove;
use crate::record::{GameKind, Player, Record, Sides, now};
use crate::services::{Services, Visitor};
use crate::store::LinkKind;
use crate::task::{self, AbortHandle};
use chess::{Color, Move};
use classics::ClassicSpec;
use players::{FREE_PLIES, TimeControl};
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;
use web_time::Instant;

/// A connection that has the game open.
struct Watcher {
    visitor: Visitor,
    observer: Arc<dyn Observer>,
}

/// Which side waits for an answer to an offer.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Offers {
    draw: Option<Color>,
    takeback: Option<Color>,
    rematch: Option<Color>,
}

impl Offers {
    /// Who has made the offer.
    pub(crate) const fn by(&self, offer: Offer) -> Option<Color> {
        match offer {
            Offer::Draw => self.draw,
            Offer::Takeback => self.takeback,
            Offer::Rematch => self.rematch,
        }
    }

    const fn set(&mut self, offer: Offer, color: Option<Color>) {
        match offer {
            Offer::Draw => self.draw = color,
            Offer::Takeback => self.takeback = color,
            Offer::Rematch => self.rematch = color,
        }
    }
}

/// The clock as it stands at this moment.
#[derive(Copy, Clone, Debug)]
pub(crate) struct ClockReading {
    /// How it was set.
    pub(crate) control: TimeControl,
    /// What White and Black have left.
    pub(crate) left: [Duration; 2],
    /// Whose clock runs.
    pub(crate) running: Option<Color>,
}

/// A move of the game in words and numbers, and what its player had left after it.
pub(crate) type PlayedMove = (WrittenMove, Option<Duration>);

/// A game that is open.
pub(crate) struct LiveGame {
    services: Arc<Services>,
    /// Where timers and engines find the game again. Without a session neither are started.
    session: Weak<GameSession>,
    record: Record,
    watchers: HashMap<u64, Watcher>,
    offers: Offers,
    is_paused: bool,
    flag_timer: Option<AbortHandle>,
    /// The engine at work.
    thinking: Option<(Color, AbortHandle)>,
    /// Counts changes of the record, so that what was decided before one is not done after it.
    generation: u64,
    /// Classics remember what they thought before.
    classics: [Option<SeatedClassic>; 2],
    last_search: LastSearch,
    /// The moves as they are shown.
    moves: Vec<PlayedMove>,
}

/// Reading.
impl LiveGame {
    pub(super) fn new(services: Arc<Services>, session: Weak<GameSession>, record: Record) -> Self {
        let mut game = Self {
            services,
            session,
            record,
            watchers: HashMap::new(),
            offers: Offers::default(),
            is_paused: false,
            flag_timer: None,
            thinking: None,
            generation: 0,
            classics: [None, None],
            last_search: LastSearch::default(),
            moves: Vec::new(),
        };
        game.write_moves(0);
        game
    }

    /// What is kept of the game.
    pub(crate) const fn record(&self) -> &Record {
        &self.record
    }

    /// The moves as they are shown.
    pub(crate) fn moves(&self) -> &[PlayedMove] {
        &self.moves
    }

    /// What the last search of a classic did, as a table to print.
    pub(crate) fn last_search(&self) -> Option<String> {
        self.last_search.get()
    }

    /// What is offered.
    pub(crate) const fn offers(&self) -> &Offers {
        &self.offers
    }

    /// Whether engines that play each other are stopped.
    pub(crate) const fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// Which engine is at work.
    pub(crate) fn thinking(&self) -> Option<Color> {
        self.thinking.as_ref().map(|(color, _)| *color)
    }

    /// The clock, if there is one.
    pub(crate) fn clock(&self) -> Option<ClockReading> {
        let (clock, now) = (self.record.clock.as_ref()?, Instant::now());
        let left = Color::ALL.map(|color| clock.left(color, now).unwrap_or_default());
        Some(ClockReading { control: self.record.time_control()?, left, running: clock.running() })
    }

    /// Which sides a visitor plays.
    pub(crate) fn sides_of(&self, visitor: &str) -> Option<Sides> {
        self.record.seats_of(visitor, self.services.rights.is_owner(visitor))
    }

    /// Whether others can come by a link.
    pub(crate) fn has_links(&self) -> bool {
        self.services.has_links
    }

    /// The secret of a link to the game.
    pub(crate) fn link_token(&self, kind: LinkKind) -> String {
        self.services.store.link_token(kind, &self.record.id)
    }

    /// Whether the player of a side is there: an engine always is.
    pub(crate) fn is_present(&self, color: Color) -> bool {
        let sits =
            |watcher: &Watcher| self.sides_of(&watcher.visitor).is_some_and(|sides| sides.plays(color));
        self.record.player(color).is_engine() || self.watchers.values().any(sits)
    }

    /// How many visitors watch without playing.
    pub(crate) fn spectators(&self) -> usize {
        let visitors: BTreeSet<&str> = self.watchers.values().map(|watcher| &*watcher.visitor).collect();
        visitors.into_iter().filter(|visitor| self.sides_of(visitor).is_none()).count()
    }

    /// Whether a visitor who plays these sides has a move to take back.
    pub(crate) fn can_take_back(&self, sides: Sides) -> bool {
        Color::ALL.into_iter().any(|color| sides.plays(color) && self.plies_after_takeback(color).is_some())
    }

    /// How many plies are left when a side takes its last move back; none if it has made no move.
    pub(super) fn plies_after_takeback(&self, color: Color) -> Option<usize> {
        let game = &self.record.game;
        match self.record.kind {
            GameKind::Local => game.ply().checked_sub(1),
            GameKind::Engine | GameKind::Friend => (0..game.ply())
                .rev()
                .find(|&ply| game.position_at(ply).is_some_and(|before| before.turn() == color)),
            GameKind::Engines | GameKind::Imported => None,
        }
    }

    pub(super) const fn services(&self) -> &Arc<Services> {
        &self.services
    }

    pub(super) const fn generation(&self) -> u64 {
        self.generation
    }

    pub(super) fn session(&self) -> Option<Arc<GameSession>> {
        self.session.upgrade()
    }

    /// The visitor for whom the engine works: one who watches, players first.
    pub(super) fn engine_owner(&self) -> Visitor {
        let mut players = self.record.players.iter().filter_map(Player::visitor);
        let watches = |visitor: &str| self.watchers.values().any(|watcher| &*watcher.visitor == visitor);
        let player = players.find(|visitor| watches(visitor)).map(Visitor::from);
        player
            .or_else(|| self.watchers.values().next().map(|watcher| Arc::clone(&watcher.visitor)))
            .unwrap_or_else(|| Visitor::from(""))
    }

    /// Whether there is a connection for which clocks and engines run.
    fn is_attended(&self) -> bool {
        let counts = |watcher: &Watcher| {
            self.record.kind == GameKind::Engines || self.sides_of(&watcher.visitor).is_some()
        };
        self.watchers.values().any(counts)
    }

    /// Whether moves can be made now.
    fn is_in_play(&self) -> bool {
        self.record.kind != GameKind::Imported
            && !self.record.game.is_over()
            && !self.is_paused
            && self.is_attended()
    }
}

/// Changing. Each of these settles the game.
impl LiveGame {
    /// A connection watches.
    pub(super) fn add_watcher(&mut self, connection: u64, visitor: &Visitor, observer: Arc<dyn Observer>) {
        self.watchers.insert(connection, Watcher { visitor: Arc::clone(visitor), observer });
        self.settle_as_changed();
    }

    /// A connection watches no more. When all have gone, clocks and engines stand still.
    pub(super) async fn remove_watcher(&mut self, connection: u64) {
        if self.watchers.remove(&connection).is_none() {
            return;
        }
        self.settle_as_changed();
        if self.watchers.is_empty() && self.record.clock.is_some() {
            let (record, plies) = (self.record.clone(), self.record.game.ply());
            if let Err(error) = self.services.store.save(record, plies).await {
                tracing::warn!("the clocks of game {} were not saved: {error}", self.record.id);
            }
        }
    }

    /// Stops engines that play each other, or lets them play.
    pub(super) fn set_paused(&mut self, is_paused: bool) {
        self.is_paused = is_paused;
        self.settle_as_changed();
    }

    /// There is a review now; it is in the database already.
    pub(super) fn set_reviewed(&mut self) {
        self.record.reviewed = true;
        self.settle_as_changed();
    }

    /// A side offers something.
    pub(super) fn offer(&mut self, offer: Offer, by: Color) {
        self.offers.set(offer, Some(by));
        self.settle_as_changed();
    }

    /// An offer is declined.
    pub(super) fn decline(&mut self, offer: Offer) {
        self.offers.set(offer, None);
        for watcher in self.watchers.values() {
            watcher.observer.declined(&self.record.id, offer);
        }
        self.settle_as_changed();
    }

    /// Changes the record: writes it, with the moves from a ply on, and only then takes it over. Offers are
    /// withdrawn. If it cannot be written, nothing has changed.
    async fn commit(&mut self, from_ply: usize, edit: impl FnOnce(&mut Record) -> Result<()>) -> Result<()> {
        let mut record = self.record.clone();
        edit(&mut record)?;
        record.revision = next_revision(record.revision);
        record.updated = now();
        self.services.store.save(record.clone(), from_ply).await?;
        self.stop_engine();
        let same = |(old, new): &(Move, Move)| old == new;
        let kept = self.record.game.moves().zip(record.game.moves()).take_while(same).count();
        self.record = record;
        self.generation += 1;
        self.write_moves(kept);
        self.offers = Offers::default();
        self.settle();
        Ok(())
    }

    /// Plays a legal move of the side to move, unless its time is over.
    pub(super) async fn play_move(&mut self, mv: Move) -> Result<()> {
        let (color, now) = (self.record.game.position().turn(), Instant::now());
        if self.has_flag_fallen(color, now) {
            self.flag(color).await?;
            return Err(Error::illegal("your time has run out"));
        }
        let ply = self.record.game.ply();
        self.commit(ply, |record| {
            record.game.play(mv).map_err(Error::illegal)?;
            if let Some(clock) = &mut record.clock {
                // The flag was looked at with the same time a moment ago.
                let _ = clock.press(color, now);
                if let Some(left) = clock.left(color, now) {
                    record.game.set_clock(left);
                }
            }
            Ok(())
        })
        .await
    }

    /// Changes what is not a move: the end of the game, who plays, the game that follows.
    pub(super) async fn declare(&mut self, edit: impl FnOnce(&mut Record) -> Result<()>) -> Result<()> {
        let ply = self.record.game.ply();
        self.commit(ply, edit).await
    }

    /// Takes moves back until `plies` are left; the clocks go back too.
    pub(super) async fn go_back(&mut self, plies: usize) -> Result<()> {
        self.commit(plies, |record| {
            record.truncate(plies);
            if let Some(clock) = &mut record.clock {
                clock.restore(&record.game);
            }
            Ok(())
        })
        .await
    }

    /// The game was changed elsewhere, in another page that keeps it in the same store.
    pub(crate) fn take_over(&mut self, record: Record) {
        self.stop_engine();
        self.record = record;
        self.generation += 1;
        self.offers = Offers::default();
        self.write_moves(0);
        self.settle_as_changed();
    }

    async fn flag(&mut self, loser: Color) -> Result<()> {
        self.declare(|record| record.game.flag(loser).map(drop).map_err(Error::illegal)).await
    }

    /// The flag timer of a side has run out; unless the game has changed since, the side loses.
    async fn flag_fell(&mut self, generation: u64, color: Color) {
        if self.generation == generation
            && self.has_flag_fallen(color, Instant::now())
            && let Err(error) = self.flag(color).await
        {
            tracing::warn!("the fallen flag in game {}: {error}", self.record.id);
        }
    }

    /// The engine has decided; unless the game has changed since, it is done.
    pub(super) async fn engine_chose(&mut self, generation: u64, color: Color, choice: Result<Choice>) {
        if self.generation != generation {
            return;
        }
        self.thinking = None;
        let done = match choice {
            Ok(Choice::Move(mv)) => self.play_move(mv).await,
            Ok(Choice::Resign) => {
                self.declare(|record| record.game.resign(color).map(drop).map_err(Error::illegal)).await
            }
            Err(error) => Err(error),
        };
        if let Err(error) = done {
            // The engine is not asked again at once, which would fail in the same way for ever, but with the
            // next change, such as a new watcher.
            tracing::warn!("the engine in game {}: {error}", self.record.id);
            self.show();
        }
    }

    /// Stops engine and clocks: the server stops.
    pub(super) fn stop(&mut self) {
        self.stop_engine();
        if let Some(timer) = self.flag_timer.take() {
            timer.abort();
        }
        if let Some(clock) = &mut self.record.clock {
            clock.stop(Instant::now());
        }
    }

    /// The game was deleted: stops everything and notifies the watchers.
    pub(super) fn dismiss(&mut self) {
        self.stop();
        for (_, watcher) in self.watchers.drain() {
            watcher.observer.gone(&self.record.id);
        }
    }
}

/// Settling.
impl LiveGame {
    /// After a change of what is not kept.
    fn settle_as_changed(&mut self) {
        self.record.revision = next_revision(self.record.revision);
        self.settle();
    }

    fn settle(&mut self) {
        self.run_clock();
        self.set_flag_timer();
        self.wake_engine();
        self.show();
    }

    fn run_clock(&mut self) {
        let (turn, now) = (self.record.game.position().turn(), Instant::now());
        let runs = self.record.game.ply() >= FREE_PLIES && self.is_in_play();
        match &mut self.record.clock {
            Some(clock) if runs => clock.start(turn, now),
            Some(clock) => clock.stop(now),
            None => {}
        }
    }

    fn has_flag_fallen(&self, color: Color, now: Instant) -> bool {
        self.record.clock.as_ref().is_some_and(|clock| clock.fallen(now) == Some(color))
    }

    /// Wakes up when the running clock comes to its end.
    fn set_flag_timer(&mut self) {
        if let Some(timer) = self.flag_timer.take() {
            timer.abort();
        }
        let Some(clock) = &self.record.clock else { return };
        let Some((color, flag_fall)) = clock.running().zip(clock.flag_fall()) else { return };
        let (session, generation) = (Weak::clone(&self.session), self.generation);
        let left = flag_fall.saturating_duration_since(Instant::now());
        let timer = task::spawn(async move {
            task::sleep(left).await;
            let Some(session) = session.upgrade() else { return };
            // In a task of its own, because this one is aborted by the next change.
            task::spawn(async move { session.lock().await.flag_fell(generation, color).await });
        });
        self.flag_timer = Some(timer);
    }

    /// Lets an engine think if it is its turn, or stops it if there is no watcher for it.
    fn wake_engine(&mut self) {
        let color = self.record.game.position().turn();
        let is_due = self.record.player(color).is_engine() && self.is_in_play();
        if is_due && self.thinking() == Some(color) {
            return;
        }
        self.stop_engine();
        if is_due {
            let classic = self.seat_classic(color);
            self.thinking = opponent::think(self, color, classic).map(|task| (color, task));
        }
    }

    /// The classic that plays a side, with what it remembers.
    fn seat_classic(&mut self, color: Color) -> Option<SeatedClassic> {
        let Player::Classic { id } = self.record.player(color) else { return None };
        let spec: ClassicSpec = id.parse().ok()?;
        let seat = self.classics[color.index()].get_or_insert_with(|| {
            let program = self.services.engines.books().create(spec);
            Arc::new(Mutex::new(Box::new(ObservedClassic::new(program, self.last_search.clone()))))
        });
        Some(Arc::clone(seat))
    }

    fn stop_engine(&mut self) {
        if let Some((_, task)) = self.thinking.take() {
            task.abort();
        }
    }

    /// Shows every watcher how the game stands.
    fn show(&self) {
        for watcher in self.watchers.values() {
            watcher.observer.show(self, &watcher.visitor);
        }
    }

    /// Writes the moves again, from a ply on.
    fn write_moves(&mut self, from: usize) {
        self.moves.truncate(from);
        let game = &self.record.game;
        for (ply, played) in game.plies().iter().enumerate().skip(from) {
            if let Some(before) = game.position_at(ply) {
                self.moves.push((WrittenMove::new(before, played.mv, game.variant()), played.clock));
            }
        }
    }
}

/// Revisions grow, after a restart of the server too.
fn next_revision(last: i64) -> i64 {
    now().max(last.saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::{
        Admission, CoachAnswer, CoachJob, Engines, LineJob, MoveJob, OnLines, OnProgress, Owner, Priority,
        ReviewJob, Studied, StudyJob,
    };
    use crate::game_review::GameReview;
    use crate::memory::MemoryStore;
    use crate::rights::OneOwner;
    use crate::session::new_game::{NewGame, Seat, record};
    use crate::store::Pending;
    use chess::Game;
    use engine::Line;

    /// What a watcher was shown: revision, plies, whose clock runs.
    #[derive(Default)]
    struct Shown(Mutex<Vec<(i64, usize, Option<Color>)>>);

    impl Shown {
        fn count(&self) -> usize {
            self.0.lock().expect("not poisoned").len()
        }

        fn last(&self) -> (i64, usize, Option<Color>) {
            *self.0.lock().expect("not poisoned").last().expect("something was shown")
        }
    }

    impl Observer for Shown {
        fn show(&self, game: &LiveGame, _visitor: &str) {
            let running = game.clock().and_then(|clock| clock.running);
            let state = (game.record().revision, game.moves().len(), running);
            self.0.lock().expect("not poisoned").push(state);
        }

        fn declined(&self, _game: &str, _offer: Offer) {}

        fn gone(&self, _game: &str) {}
    }

    /// No engines: people play.
    struct NoEngines;

    impl Engines for NoEngines {
        fn choose<'a>(&'a self, _: &'a Owner, _: MoveJob) -> Pending<'a, Choice> {
            Box::pin(std::future::pending())
        }

        fn best_line<'a>(&'a self, _: &'a Owner, _: Priority, _: LineJob) -> Pending<'a, Option<Line>> {
            Box::pin(std::future::pending())
        }

        fn coach<'a>(&'a self, _: &'a Owner, _: CoachJob) -> Pending<'a, CoachAnswer> {
            Box::pin(std::future::pending())
        }

        fn study<'a>(&'a self, _: &'a Owner, _: StudyJob, _: OnLines) -> Pending<'a, Studied> {
            Box::pin(std::future::pending())
        }

        fn admit_review(&self, _: &Owner) -> Result<Admission> {
            Ok(Box::new(()))
        }

        fn review<'a>(&'a self, _: &'a Owner, _: ReviewJob, _: OnProgress) -> Pending<'a, GameReview> {
            Box::pin(std::future::pending())
        }
    }

    /// A game at one board with clocks.
    async fn game() -> LiveGame {
        let services = Arc::new(Services {
            store: Arc::new(MemoryStore::default()),
            engines: Box::new(NoEngines),
            rights: Arc::new(OneOwner),
            has_links: false,
        });
        let minute = Duration::from_secs(60);
        let request = NewGame {
            seats: [Seat::You(None), Seat::You(None)],
            game: Game::new(),
            clock: Some(TimeControl { moves: None, base: minute, increment: Duration::ZERO }),
            human_pace: false,
            seed: None,
        };
        let record = record("visitor", request).expect("a game");
        services.store.insert(vec![record.clone()], Vec::new()).await.expect("written");
        LiveGame::new(services, Weak::new(), record)
    }

    async fn play(game: &mut LiveGame, san: &str) {
        let mv = game.record().game.position().parse_san(san).expect("a move");
        game.play_move(mv).await.expect("played");
    }

    #[tokio::test]
    async fn every_change_is_shown_once_with_a_larger_revision() {
        let mut game = game().await;
        let shown = Arc::new(Shown::default());
        let visitor = Visitor::from("visitor");
        game.add_watcher(1, &visitor, Arc::clone(&shown) as Arc<dyn Observer>);
        let (mut revision, ..) = shown.last();
        assert_eq!(shown.count(), 1);
        for (number, change) in
            (2..).zip(["e4", "offer", "decline", "e5", "reviewed", "back", "pause", "resign"])
        {
            match change {
                "offer" => game.offer(Offer::Draw, Color::White),
                "decline" => game.decline(Offer::Draw),
                "reviewed" => game.set_reviewed(),
                "back" => game.go_back(1).await.expect("taken back"),
                "pause" => game.set_paused(true),
                "resign" => game
                    .declare(|record| record.game.resign(Color::Black).map(drop).map_err(Error::illegal))
                    .await
                    .expect("resigned"),
                san => play(&mut game, san).await,
            }
            assert_eq!(shown.count(), number, "{change}");
            assert!(shown.last().0 > revision, "{change}");
            revision = shown.last().0;
        }
        game.remove_watcher(1).await;
        assert_eq!(shown.count(), 9, "who has gone is shown nothing");
    }

    #[tokio::test]
    async fn clocks_run_from_the_second_move_on_while_a_player_is_there() {
        let mut game = game().await;
        let visitor = Visitor::from("visitor");
        let running = |game: &LiveGame| game.clock().and_then(|clock| clock.running);
        play(&mut game, "e4").await;
        play(&mut game, "e5").await;
        assert_eq!(running(&game), None, "no player is there");
        game.add_watcher(1, &visitor, Arc::new(Shown::default()));
        assert_eq!(running(&game), Some(Color::White));
        play(&mut game, "Nf3").await;
        assert_eq!(running(&game), Some(Color::Black));
        game.go_back(1).await.expect("taken back");
        assert_eq!(running(&game), None, "the first moves are free");
        play(&mut game, "e5").await;
        game.remove_watcher(1).await;
        assert_eq!(running(&game), None);
        assert!(game.clock().is_some_and(|clock| clock.left[0] <= Duration::from_secs(60)));
    }

    #[tokio::test]
    async fn a_change_that_cannot_be_written_changes_nothing() {
        let mut game = game().await;
        play(&mut game, "e4").await;
        let before = (game.record().revision, game.generation());
        let refused = game.declare(|_| Err(Error::illegal("on purpose"))).await;
        assert!(refused.is_err());
        assert_eq!((game.record().revision, game.generation()), before);
        assert_eq!(game.moves().len(), 1);
    }
}
