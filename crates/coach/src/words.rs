//! Sentences: claims in words, from a catalogue of messages apart from the code.

use crate::claim::{Claim, Ended, Fact, Idea, Man, Merit, Occasion, Standing, Variation, side_code};
use crate::exchange::Deal;
use crate::explain::MoveExplanation;
use crate::judge::Judgement;
use crate::motif::Motif;
use crate::notation::{san_line, show_score};
use crate::structure::Feature;
use chess::{Bitboard, Color, Role};
use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use unic_langid::LanguageIdentifier;

/// The messages of one language.
pub struct Catalogue {
    bundle: FluentBundle<FluentResource>,
}

impl Default for Catalogue {
    fn default() -> Self {
        Self::english()
    }
}

impl Catalogue {
    /// The English messages.
    ///
    /// # Panics
    /// When the catalogue that is built in is damaged, which a test rules out.
    #[must_use]
    pub fn english() -> Self {
        let text = include_str!("../locales/en.ftl").to_owned();
        let resource = FluentResource::try_new(text).expect("the built-in catalogue is well formed");
        let language: LanguageIdentifier = "en".parse().expect("a language");
        let mut bundle = FluentBundle::new_concurrent(vec![language]);
        bundle.set_use_isolating(false);
        bundle.add_resource(resource).expect("no message of the built-in catalogue is there twice");
        Self { bundle }
    }

    /// A claim as a sentence.
    #[must_use]
    pub fn sentence(&self, claim: &Claim) -> String {
        match &claim.fact {
            Fact::Ended(ended) => self.ended(*ended),
            Fact::Verdict { standing, score } => {
                let mut args = self.standing_args(*standing);
                args.set("score", show_score(*score));
                self.message(&format!("verdict-{}", standing.code()), &args)
            }
            Fact::Mate { side, moves, variation } => {
                let mut args = self.line_args(*side, variation);
                args.set("moves", *moves);
                // The other side moves first, and cannot help it.
                let is_suffered = claim.occasion == Occasion::Position && variation.start.turn() != *side;
                let suffered = if is_suffered { "-suffered" } else { "" };
                self.message(&format!("{}-mate{suffered}", claim.occasion.code()), &args)
            }
            Fact::Material { side, deal, variation } => {
                let mut args = self.line_args(*side, variation);
                args.set("deal", self.deal(deal));
                let short = if variation.moves.len() > 1 { "" } else { "-at-once" };
                let what = if deal.promoted.is_empty() { "material" } else { "promotion" };
                self.message(&format!("{}-{what}{short}", claim.occasion.code()), &args)
            }
            Fact::Motif { motif, side, by, targets, variation } => {
                self.motif(claim.occasion, *motif, *side, *by, targets, variation)
            }
            Fact::Feature { feature, side, squares, .. } => {
                self.feature(claim.occasion, *feature, *side, *squares)
            }
            Fact::OnlyMove { variation, defends } => {
                let id = if *defends { "only-defence" } else { "only-move" };
                self.message(id, &self.line_args(variation.start.turn(), variation))
            }
            Fact::Trend { trend, side, variation, .. } => {
                self.message(&format!("trend-{}", trend.code()), &self.line_args(*side, variation))
            }
            Fact::Slips { from, to } => {
                let mut args = FluentArgs::new();
                for (key, standing) in [("from", from), ("to", to)] {
                    let id = format!("standing-{}", standing.code());
                    args.set(key, self.message(&id, &self.standing_args(*standing)));
                }
                self.message("slips", &args)
            }
            Fact::Sacrifice { man, is_sound, variation } => {
                let mut args = self.line_args(man.color, variation);
                args.set("man", self.man(man));
                self.message(if *is_sound { "sacrifice-sound" } else { "sacrifice-unsound" }, &args)
            }
            Fact::GainsTempo { man, .. } => {
                let mut args = FluentArgs::new();
                args.set("man", self.man(man));
                self.message("gains-tempo", &args)
            }
            Fact::Best { .. } => self.plain("best"),
            Fact::Zugzwang { side, variation } => {
                let id = if variation.moves.is_empty() { "zugzwang-now" } else { "zugzwang-then" };
                self.message(id, &self.line_args(*side, variation))
            }
            Fact::Theory { is_known, usual, merit } => self.theory(*is_known, usual.as_ref(), *merit),
            Fact::Preferred { variation, other } => self.compared("preferred", variation, other),
            Fact::Alike { variation, other } => self.compared("alike", variation, other),
            Fact::Recapture { man } => self.about("recapture", *man),
            Fact::Develops { man } => self.about("develops", *man),
            Fact::Castles { .. } => self.message("castles", &FluentArgs::new()),
            Fact::Opening { eco, name } => {
                let mut args = FluentArgs::new();
                args.set("name", *name);
                args.set("eco", *eco);
                self.message("opening", &args)
            }
            Fact::Draw { side, how, variation } => {
                let prefix = if claim.occasion == Occasion::Missed { "missed-" } else { "" };
                self.message(&format!("{prefix}draw-{}", how.code()), &self.line_args(*side, variation))
            }
            Fact::Ending(ending) => {
                let mut args = FluentArgs::new();
                if let Some(side) = ending.side() {
                    args.set("side", self.side(side));
                    args.set("other", self.side(!side));
                }
                self.message(&format!("ending-{}", ending.code()), &args)
            }
            Fact::LookAt { man } => {
                let mut args = FluentArgs::new();
                args.set("man", self.man(man));
                args.set("side", self.side(man.color));
                self.message("hint-look", &args)
            }
            Fact::Idea(idea) => self.idea(*idea),
            Fact::Answer { variation } => {
                self.message("hint-answer", &self.line_args(variation.start.turn(), variation))
            }
            Fact::TurningPoint { variation } => {
                self.message("lesson-turn", &self.line_args(variation.start.turn(), variation))
            }
            Fact::MostOften { side, kind, count } => {
                let mut args = FluentArgs::new();
                args.set("side", self.side(*side));
                args.set("count", *count);
                self.message(&format!("lesson-{}", kind.code()), &args)
            }
            Fact::Train { side, topic } => {
                let mut args = FluentArgs::new();
                args.set("side", self.side(*side));
                let id = format!("topic-{}", topic.code());
                args.set("topic", self.plain(&id));
                self.message("lesson-train", &args)
            }
            Fact::Better { variation, .. } => {
                let id = if variation.moves.len() > 1 { "best-line" } else { "best-move" };
                self.message(id, &self.line_args(variation.start.turn(), variation))
            }
        }
    }

    /// What is said where there is nothing to say.
    #[must_use]
    pub fn nothing(&self) -> String {
        self.plain("nothing")
    }

    /// Claims as a paragraph.
    #[must_use]
    pub fn paragraph(&self, claims: &[Claim]) -> String {
        claims.iter().map(|claim| self.sentence(claim)).collect::<Vec<_>>().join(" ")
    }

    /// How good a move is, without the reasons: "Nf6 is a blunder."
    #[must_use]
    pub fn judged(&self, san: &str, judgement: Option<Judgement>) -> String {
        let id = match judgement {
            None => "judged-good",
            Some(Judgement::Inaccuracy) => "judged-inaccuracy",
            Some(Judgement::Mistake) => "judged-mistake",
            Some(Judgement::Blunder) => "judged-blunder",
        };
        let mut args = FluentArgs::new();
        args.set("move", san.to_owned());
        self.message(id, &args)
    }

    /// A judged move with its reasons: "Nf6 is a blunder. This allows mate at once: 4. Qxf7#."
    #[must_use]
    pub fn judged_move(&self, san: &str, explanation: &MoveExplanation) -> String {
        let reasons = self.paragraph(&explanation.claims);
        format!("{} {reasons}", self.judged(san, explanation.judgement)).trim_end().to_owned()
    }

    fn theory(&self, is_known: bool, usual: Option<&Variation>, merit: Option<Merit>) -> String {
        let Some(usual) = usual else { return self.plain("theory-usual") };
        let mut args = self.line_args(usual.start.turn(), usual);
        let mut merit_args = FluentArgs::new();
        if let Some(Merit::Develops(role)) = merit {
            merit_args.set("piece", self.piece(role));
        }
        let id = merit.map(|merit| format!("merit-{}", merit.code()));
        args.set("merit", id.map(|id| self.message(&id, &merit_args)).unwrap_or_default());
        let has_merit = if merit.is_some() { "-with-merit" } else { "" };
        let id = if is_known { "theory-known" } else { "theory-other" };
        self.message(&format!("{id}{has_merit}"), &args)
    }

    fn compared(&self, id: &str, variation: &Variation, other: &Variation) -> String {
        let mut args = self.line_args(variation.start.turn(), variation);
        args.set("other-move", other.first_san());
        args.set("other-line", other.san());
        self.message(id, &args)
    }

    fn idea(&self, idea: Idea) -> String {
        let mut args = FluentArgs::new();
        if let Idea::Mate(moves) = idea {
            args.set("moves", moves);
        }
        let id = match idea {
            Idea::Motif(motif) if !self.bundle.has_message(&format!("idea-{}", motif.code())) => {
                "idea-material".to_owned()
            }
            Idea::Feature(_) => "idea-improve".to_owned(),
            idea => format!("idea-{}", idea.code()),
        };
        self.message(&id, &args)
    }

    fn message(&self, id: &str, args: &FluentArgs<'_>) -> String {
        let Some(pattern) = self.bundle.get_message(id).and_then(|message| message.value()) else {
            return id.to_owned();
        };
        let mut errors = Vec::new();
        let text = self.bundle.format_pattern(pattern, Some(args), &mut errors).into_owned();
        debug_assert!(errors.is_empty(), "{id}: {errors:?}");
        text
    }

    fn plain(&self, id: &str) -> String {
        self.message(id, &FluentArgs::new())
    }

    fn side(&self, side: Color) -> String {
        self.plain(&format!("side-{}", side_code(side)))
    }

    fn piece(&self, role: Role) -> String {
        self.plain(&format!("piece-{}", role.name()))
    }

    fn ended(&self, ended: Ended) -> String {
        let mut args = FluentArgs::new();
        let id = match ended {
            Ended::Checkmate(side) => {
                args.set("side", self.side(side));
                args.set("other", self.side(!side));
                "ended-checkmate"
            }
            Ended::Stalemate(side) => {
                args.set("side", self.side(side));
                "ended-stalemate"
            }
            Ended::DeadPosition => "ended-deadPosition",
        };
        self.message(id, &args)
    }

    fn standing_args(&self, standing: Standing) -> FluentArgs<'static> {
        let mut args = FluentArgs::new();
        if let Some(side) = standing.side() {
            args.set("side", self.side(side));
        }
        args
    }

    fn line_args(&self, side: Color, variation: &Variation) -> FluentArgs<'static> {
        let mut args = FluentArgs::new();
        args.set("side", self.side(side));
        args.set("other", self.side(!side));
        args.set("line", variation.san());
        args.set("move", variation.first_san());
        args.set("rest", variation.rest_san());
        args
    }

    fn about(&self, id: &str, man: Man) -> String {
        let mut args = FluentArgs::new();
        args.set("piece", self.piece(man.role));
        args.set("square", man.square.to_string());
        self.message(id, &args)
    }

    /// "a knight for a pawn".
    fn deal(&self, deal: &Deal) -> String {
        let minor = |role: &Role| matches!(role, Role::Knight | Role::Bishop);
        let is_exchange =
            matches!(&deal.gained[..], [Role::Rook]) && matches!(&deal.lost[..], [role] if minor(role));
        if is_exchange {
            return self.plain("goods-exchange");
        }
        let (gained, lost) = deal.without_promotions();
        let mut goods = self.goods("new", &deal.promoted);
        goods.extend(self.goods("goods", &gained));
        let mut args = FluentArgs::new();
        args.set("gained", self.list(goods));
        if lost.is_empty() {
            return self.message("deal-plain", &args);
        }
        args.set("lost", self.list(self.goods("goods", &lost)));
        self.message("deal-for", &args)
    }

    fn goods(&self, kind: &str, roles: &[Role]) -> Vec<String> {
        let kinds = roles.chunk_by(|a, b| a == b).map(|same| {
            let mut args = FluentArgs::new();
            args.set("count", same.len());
            self.message(&format!("{kind}-{}", same[0].name()), &args)
        });
        kinds.collect()
    }

    fn list(&self, mut items: Vec<String>) -> String {
        let Some(last) = items.pop() else { return String::new() };
        let Some(before) = items.pop() else { return last };
        let mut text =
            items.into_iter().rev().fold(before, |rest, first| self.pair("list-more", first, rest));
        text = self.pair("list-two", text, last);
        text
    }

    fn pair(&self, id: &str, first: String, last: String) -> String {
        let mut args = FluentArgs::new();
        args.set("first", first);
        args.set("last", last);
        self.message(id, &args)
    }

    fn man(&self, man: &Man) -> String {
        self.about("piece-on", *man)
    }

    fn motif(
        &self,
        occasion: Occasion,
        motif: Motif,
        side: Color,
        by: Man,
        targets: &[Man],
        variation: &Variation,
    ) -> String {
        let mut args = self.line_args(side, variation);
        args.set("occasion", occasion.code());
        let line = variation.line();
        if let Some(step) = line.steps().next_back() {
            args.set("move", san_line(step.before, &[step.mv]));
        }
        args.set("by-piece", self.piece(by.role));
        args.set("by-square", by.square.to_string());
        if let Some(target) = targets.first() {
            args.set("target-piece", self.piece(target.role));
            args.set("target-square", target.square.to_string());
            args.set("target", self.man(target));
        }
        let second = targets.get(1);
        args.set("has-second", if second.is_some() { "yes" } else { "no" });
        args.set("second", second.map(|man| self.man(man)).unwrap_or_default());
        args.set("second-piece", second.map(|man| self.piece(man.role)).unwrap_or_default());
        args.set("second-square", second.map(|man| man.square.to_string()).unwrap_or_default());
        args.set("targets", self.list(targets.iter().map(|man| self.man(man)).collect()));
        self.message(&format!("motif-{}", motif.code()), &args)
    }

    fn feature(&self, occasion: Occasion, feature: Feature, side: Color, squares: Bitboard) -> String {
        let mut args = FluentArgs::new();
        args.set("side", self.side(side));
        args.set("when", if occasion == Occasion::Position { "now" } else { "then" });
        args.set("has", self.plain(if occasion == Occasion::Position { "has-now" } else { "has-then" }));
        args.set("count", FluentValue::from(squares.count()));
        let names: Vec<String> = squares.into_iter().map(|square| square.to_string()).collect();
        args.set("squares", self.list(names));
        let mut files: Vec<String> =
            squares.into_iter().map(|square| format!("{}-file", square.file().to_char())).collect();
        files.dedup();
        args.set("files", self.list(files));
        self.message(&format!("feature-{}", feature.code()), &args)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_motif_and_feature_that_may_be_said_has_a_message() {
        let catalogue = Catalogue::english();
        for feature in Feature::ALL {
            assert!(catalogue.bundle.has_message(&format!("feature-{}", feature.code())), "{feature:?}");
        }
        for motif in crate::reason::MATING.iter().chain(crate::reason::WINNING) {
            for kind in ["motif", "topic"] {
                assert!(
                    catalogue.bundle.has_message(&format!("{kind}-{}", motif.code())),
                    "{kind} {motif:?}"
                );
            }
        }
    }

    #[test]
    fn a_judged_move_begins_with_its_judgement() {
        let judged = |judgement| {
            let explanation = MoveExplanation { loss: 0.0, judgement, kind: None, claims: Vec::new() };
            Catalogue::english().judged_move("Nf6", &explanation)
        };
        assert_eq!(judged(None), "Nf6 is a good move.");
        assert_eq!(judged(Some(Judgement::Inaccuracy)), "Nf6 is an inaccuracy.");
    }

    #[test]
    fn lists_and_numbers_read_well() {
        let catalogue = Catalogue::english();
        let goods = |roles: &[Role]| catalogue.list(catalogue.goods("goods", roles));
        assert_eq!(goods(&[Role::Rook]), "a rook");
        assert_eq!(goods(&[Role::Knight, Role::Pawn, Role::Pawn]), "a knight and 2 pawns");
        assert_eq!(goods(&[Role::Queen, Role::Rook, Role::Pawn]), "a queen, a rook and a pawn");
    }
}
