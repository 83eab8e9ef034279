//! `gardez explain`: why a position or a move is good or bad, in words.

mod terms;

use crate::{numbers, positions};
use anyhow::{Context, Result, bail};
use chess::{Game, Move};
use coach::{Catalogue, Claim, Coach};
use serde_json::{Value as Json, json};
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Explain a position or a move
///
/// A short search finds what is true, and the coach says why: the verdict, the tactic if there is one, what matters in the
/// long run. With --move it says why a move is good or bad, with --versus why one move is better than another, with
/// --threat what the opponent threatens, with --hint what to look at, the idea and the move. With --static it prints the terms of the handcrafted
/// evaluation for the position as it stands, without a search.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Position as FEN or `startpos`, with moves behind it if you like: `startpos moves e4 e5`; `-` reads one from each line
    /// of standard input
    #[arg(value_name = "FEN", required_unless_present = "weights", allow_hyphen_values = true)]
    game: Option<String>,
    /// Explain this move, in either notation, instead of the position
    #[arg(long = "move", value_name = "MOVE")]
    mv: Option<String>,
    /// Compare that move with this one
    #[arg(long, value_name = "MOVE", requires = "mv")]
    versus: Option<String>,
    /// Say only what the opponent threatens
    #[arg(long, conflicts_with_all = ["mv", "hint", "is_static"])]
    threat: bool,
    /// Give a hint in this number of steps: what to look at, the idea, the move
    #[arg(long, value_name = "STEPS", num_args = 0..=1, default_missing_value = "3", conflicts_with_all = ["mv", "is_static"], value_parser = clap::value_parser!(u8).range(1..=3))]
    hint: Option<u8>,
    /// Directories of Syzygy tablebases
    #[arg(long, value_name = "PATH", conflicts_with = "is_static")]
    tablebases: Option<String>,
    /// Nodes to search each position with
    #[arg(long, value_name = "N", default_value_t = 50_000, value_parser = numbers::at_least(1_u64))]
    nodes: u64,
    /// Print JSON, with every claim behind the words
    #[arg(long)]
    json: bool,
    /// Print the terms of the evaluation instead
    #[arg(long = "static", conflicts_with = "mv")]
    is_static: bool,
    /// Network whose value to show with --static [default: the one built in, if there is one]
    #[arg(long, value_name = "FILE", requires = "is_static")]
    network: Option<PathBuf>,
    /// Print all weights of the evaluation as tables in Markdown
    #[arg(long, conflicts_with_all = ["game", "mv", "threat", "hint", "json", "is_static"])]
    weights: bool,
    #[command(flatten)]
    reading: positions::Reading,
}

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let mut out = io::stdout().lock();
    let Some(text) = &args.game else {
        write!(out, "{}", eval::weights_table(&eval::WEIGHTS.flatten()))?;
        return Ok(ExitCode::SUCCESS);
    };
    let mut coach = Coach::new(args.nodes)?;
    if let Some(path) = &args.tablebases {
        coach = coach.with_tablebases(path)?;
    }
    let mut explainer = Explainer { coach, catalogue: Catalogue::english() };
    if text != "-" {
        let game = args.reading.game(text)?;
        return explainer.explain(&mut out, args, &game);
    }
    for (index, line) in io::stdin().lock().lines().enumerate() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let game = args.reading.game(&line).with_context(|| format!("line {}", index + 1))?;
        explainer.explain(&mut out, args, &game)?;
        out.flush()?;
    }
    Ok(ExitCode::SUCCESS)
}

struct Explainer {
    coach: Coach,
    catalogue: Catalogue,
}

impl Explainer {
    fn explain(&mut self, out: &mut impl Write, args: &Args, game: &Game) -> Result<ExitCode> {
        if args.is_static {
            terms::print(out, game.position(), args.network.as_deref(), args.json)?;
        } else if let (Some(text), Some(other)) = (&args.mv, &args.versus) {
            let moves = [read_move(game, text)?, read_move(game, other)?];
            let comparison = self.coach.compare(game, moves)?;
            self.print(out, args, game, &comparison.claims)?;
        } else if let Some(text) = &args.mv {
            self.explain_move(out, args, game, text)?;
        } else if args.threat {
            let claims: Vec<Claim> = self.coach.threat(game)?.into_iter().collect();
            self.print(out, args, game, &claims)?;
        } else if let Some(steps) = args.hint {
            let mut claims = self.coach.hint(game)?;
            claims.truncate(usize::from(steps));
            self.print(out, args, game, &claims)?;
        } else {
            self.explain_position(out, args, game)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn explain_position(&mut self, out: &mut impl Write, args: &Args, game: &Game) -> Result<()> {
        let mut claims = self.coach.position(game)?;
        if !game.is_over() {
            claims.extend(self.coach.threat(game)?);
        }
        self.print(out, args, game, &claims)
    }

    fn print(&self, out: &mut impl Write, args: &Args, game: &Game, claims: &[Claim]) -> Result<()> {
        if args.json {
            let fen = game.position().to_fen();
            writeln!(out, "{}", json!({ "fen": fen, "claims": self.with_text(claims) }))?;
        } else if claims.is_empty() {
            writeln!(out, "{}", self.catalogue.nothing())?;
        } else {
            writeln!(out, "{}", self.catalogue.paragraph(claims))?;
        }
        Ok(())
    }

    fn explain_move(&mut self, out: &mut impl Write, args: &Args, game: &Game, text: &str) -> Result<()> {
        let mv = read_move(game, text)?;
        let position = game.position();
        let explanation = self.coach.mv(game, mv)?;
        let san = position.san(mv).to_string();
        if args.json {
            let judgement = explanation.judgement.map(|judgement| judgement.to_string().to_lowercase());
            let record = json!({
                "fen": position.to_fen(),
                "move": san,
                "loss": (explanation.loss * 10.0).round() / 10.0,
                "judgement": judgement,
                "error": explanation.kind.map(coach::ErrorKind::code),
                "claims": self.with_text(&explanation.claims),
            });
            writeln!(out, "{record}")?;
        } else {
            writeln!(out, "{}", self.catalogue.judged_move(&san, &explanation))?;
        }
        Ok(())
    }

    /// Each claim with its sentence.
    fn with_text(&self, claims: &[Claim]) -> Vec<Json> {
        let record = |claim: &Claim| {
            let mut json = json!(claim);
            json["text"] = Json::from(self.catalogue.sentence(claim));
            json
        };
        claims.iter().map(record).collect()
    }
}

fn read_move(game: &Game, text: &str) -> Result<Move> {
    let position = game.position();
    if game.is_over() {
        bail!("the game is over: there is no move to explain");
    }
    position.parse_uci(text).or_else(|_| position.parse_san(text)).with_context(|| format!("the move {text}"))
}
