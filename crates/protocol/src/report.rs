//! Which of the lines a search finds are printed, and when.
//!
//! Small searches go through hundreds of iterations in a moment, more than interfaces can read and people
//! can see. So there is an allowance of lines that fills up with time. What comes too fast waits, and only
//! the newest of it; what waits at the end of the search is printed before the move.

use chess::Position;
use engine::{Bound, Line, Outcome, Usage};
use std::time::Duration;

/// What one line costs of the allowance: 500 lines a second can be printed for ever.
const LINE_COST: Duration = Duration::from_millis(2);
/// The largest allowance: a hundred lines at once.
const LARGEST_ALLOWANCE: Duration = Duration::from_millis(200);
/// Searches that have lasted so long are followed by a person, who wants to see that something happens.
const LONG_SEARCH: Duration = Duration::from_secs(3);

/// The best lines at one moment, best first.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Report {
    pub(crate) lines: Vec<Line>,
    pub(crate) usage: Usage,
}

impl Report {
    pub(crate) fn new(mut lines: Vec<Line>, usage: Usage) -> Self {
        lines.sort_by_key(|line| line.rank);
        Self { lines, usage }
    }
}

/// Chooses the reports of one search that are printed. All times are of the session's clock.
#[derive(Debug)]
pub(crate) struct Reporter {
    started: Duration,
    /// When the allowance will be full again; the later, the less of it is left.
    full_at: Duration,
    waiting: Option<Report>,
    /// What was printed last, without those that are only bounds.
    printed: Option<(Vec<Line>, u64)>,
}

impl Reporter {
    pub(crate) fn new(now: Duration) -> Self {
        Self { started: now, full_at: now, waiting: None, printed: None }
    }

    /// Takes a new report and returns it if it is to be printed at once.
    pub(crate) fn offer(&mut self, report: Report, now: Duration) -> Option<Report> {
        let is_bound = report.lines.iter().any(|line| line.bound != Bound::Exact);
        if report.lines.is_empty() || is_bound && !self.is_long(now) {
            return None;
        }
        self.waiting = Some(report);
        self.due(now)
    }

    /// The report that has waited long enough, if any.
    pub(crate) fn due(&mut self, now: Duration) -> Option<Report> {
        if self.deadline().is_none_or(|deadline| now < deadline) {
            return None;
        }
        let report = self.waiting.take()?;
        self.full_at = self.full_at.max(now) + LINE_COST * report.lines.len() as u32;
        self.printed = Some((report.lines.clone(), report.usage.nodes));
        Some(report)
    }

    /// When the report that waits may be printed.
    pub(crate) fn deadline(&self) -> Option<Duration> {
        self.waiting.as_ref().map(|_| self.full_at.saturating_sub(LARGEST_ALLOWANCE))
    }

    /// What has to be printed at the end: the lines the move was chosen by and what the whole search used,
    /// unless just that was printed last.
    pub(crate) fn last(&mut self, outcome: &Outcome) -> Option<Report> {
        let waiting = self.waiting.take();
        let report = if outcome.lines.is_empty() {
            waiting?
        } else {
            Report::new(outcome.lines.clone(), outcome.usage)
        };
        let now = (report.lines.clone(), report.usage.nodes);
        let is_news = self.printed.as_ref() != Some(&now);
        self.printed = Some(now);
        is_news.then_some(report)
    }

    /// Forgets what has been printed, so that it is printed again at the end: interfaces throw away what was thought
    /// on the opponent's time.
    pub(crate) fn ponder_hit(&mut self) {
        self.printed = None;
    }

    /// The best lines so far, reported or not.
    pub(crate) fn latest(&self) -> &[Line] {
        let waiting = self.waiting.as_ref().map(|report| &report.lines);
        waiting.or(self.printed.as_ref().map(|(lines, _)| lines)).map_or(&[], Vec::as_slice)
    }

    /// What a search that failed leaves to play: the best move it has found so far, or else any legal one.
    pub(crate) fn salvage(&self, root: &Position) -> Outcome {
        let lines = self.latest().to_vec();
        let found = lines.first().and_then(|line| line.moves.first().copied());
        let best = found.filter(|&mv| root.is_legal(mv)).or_else(|| root.legal_moves().first().copied());
        Outcome { best, ponder: None, lines, usage: Usage::default() }
    }

    /// Whether anything has been printed.
    pub(crate) fn has_printed(&self) -> bool {
        self.printed.is_some()
    }

    /// Whether the search has lasted so long that single moves are printed.
    pub(crate) fn is_long(&self, now: Duration) -> bool {
        now.saturating_sub(self.started) >= LONG_SEARCH
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::{Move, Square};
    use engine::Score;

    fn report(depth: i32, lines: usize) -> Report {
        let line = |rank| Line {
            rank,
            depth,
            selective_depth: 1,
            score: Score::DRAW,
            bound: Bound::Exact,
            moves: vec![Move::normal(Square::E2, Square::E4)],
        };
        Report::new((1..=lines).rev().map(line).collect(), Usage { nodes: depth as u64, ..Usage::default() })
    }

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn a_hundred_fast_iterations_are_printed_and_then_the_newest() {
        let mut reporter = Reporter::new(ms(1000));
        let printed = (1..=245).filter_map(|depth| reporter.offer(report(depth, 1), ms(1000))).count();
        assert_eq!(printed, 101);
        let deadline = reporter.deadline().expect("one waits");
        assert_eq!(deadline, ms(1002));
        assert_eq!(reporter.due(ms(1001)), None);
        assert_eq!(reporter.due(deadline), Some(report(245, 1)));
        assert_eq!(reporter.due(ms(9999)), None);
        assert_eq!(reporter.deadline(), None);
        assert!((246..=300).all(|depth| reporter.offer(report(depth, 1), ms(9999)).is_some()));
    }

    #[test]
    fn sets_of_lines_stay_together_and_sorted() {
        let mut reporter = Reporter::new(ms(0));
        let set = reporter.offer(report(1, 200), ms(0)).expect("the first is printed");
        assert!(set.lines.is_sorted_by_key(|line| line.rank));
        assert_eq!(set.lines.len(), 200);
        assert_eq!(reporter.offer(report(2, 200), ms(100)), None);
        assert_eq!(reporter.deadline(), Some(ms(200)));
        assert_eq!(reporter.due(ms(200)).map(|set| set.lines.len()), Some(200));
    }

    #[test]
    fn the_end_prints_what_waits_but_nothing_twice() {
        let outcome = |depth| {
            let Report { lines, usage } = report(depth, 1);
            Outcome { best: None, ponder: None, lines, usage }
        };
        let mut reporter = Reporter::new(ms(0));
        assert!(!reporter.has_printed());
        assert_eq!(reporter.last(&outcome(1)), Some(report(1, 1)));
        assert!(reporter.has_printed());
        for depth in 1..=300 {
            reporter.offer(report(depth, 1), ms(0));
        }
        assert_eq!(reporter.last(&outcome(300)), Some(report(300, 1)));
        assert_eq!(reporter.deadline(), None);
        assert_eq!(reporter.last(&outcome(300)), None);
    }

    #[test]
    fn bounds_are_for_long_searches() {
        let mut reporter = Reporter::new(ms(500));
        let mut bound = report(9, 1);
        bound.lines[0].bound = Bound::Lower;
        assert_eq!(reporter.offer(bound.clone(), ms(3499)), None);
        assert!(!reporter.is_long(ms(3499)));
        assert_eq!(reporter.offer(bound.clone(), ms(3500)), Some(bound));
    }
}
