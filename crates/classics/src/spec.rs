//! The classics by name.

use crate::Classic;
use crate::chessbin::{ChessBin, Level};
use crate::groundup::{self, GroundUp};
use crate::javachess::{Agent, JavaChess};
use crate::piglet::Piglet;
use std::fmt;
use std::str::FromStr;

/// A classic and its setting, as the command line names it: `chessbin:hard`, `piglet`, `javachess:mtdf`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ClassicSpec {
    /// ChessBin at one of its levels.
    ChessBin(Level),
    /// Piglet.
    Piglet,
    /// JavaChess with one of its agents.
    JavaChess(Agent),
    /// Ground Up, searching this many plies: `groundup` at its author's seven, else `groundup:1` to
    /// `groundup:6`.
    GroundUp(u32),
}

impl ClassicSpec {
    /// All of them, Ground Up at its author's depth.
    pub const ALL: [Self; 6] = [
        Self::ChessBin(Level::Medium),
        Self::ChessBin(Level::Hard),
        Self::Piglet,
        Self::JavaChess(Agent::AlphaBeta),
        Self::JavaChess(Agent::Mtdf),
        Self::GroundUp(groundup::DEPTH),
    ];

    /// The full name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ChessBin(Level::Medium) => "chessbin:medium",
            Self::ChessBin(Level::Hard) => "chessbin:hard",
            Self::Piglet => "piglet",
            Self::JavaChess(Agent::AlphaBeta) => "javachess:alphabeta",
            Self::JavaChess(Agent::Mtdf) => "javachess:mtdf",
            Self::GroundUp(depth) => groundup::name(depth),
        }
    }

    /// What it is, in a line for a list of opponents.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::ChessBin(Level::Medium) => "ChessBin, medium: alpha-beta 6 plies deep",
            Self::ChessBin(Level::Hard) => "ChessBin, hard: alpha-beta 7 plies deep",
            Self::Piglet => "Piglet: 0x88 and MVV/LVA, 6 plies deep",
            Self::JavaChess(Agent::AlphaBeta) => "JavaChess, its first agent: alpha-beta 6 plies deep",
            Self::JavaChess(Agent::Mtdf) => {
                "JavaChess, its second agent: MTD(f), 50,000 nodes, Ruy Lopez book"
            }
            Self::GroundUp(_) => {
                "Ground Up: alpha-beta without ordering, 7 plies deep or as many as it is given"
            }
        }
    }

    /// The program, ready to play.
    #[must_use]
    pub fn create(self) -> Box<dyn Classic + Send> {
        match self {
            Self::ChessBin(level) => Box::new(ChessBin::new(level)),
            Self::Piglet => Box::new(Piglet),
            Self::JavaChess(agent) => Box::new(JavaChess::new(agent)),
            Self::GroundUp(depth) => Box::new(GroundUp::new(depth)),
        }
    }
}

impl fmt::Display for ClassicSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// There is no classic of that name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no classic is called {0:?}; there are {names}", names = names())]
pub struct UnknownClassic(String);

fn names() -> String {
    let [rest @ .., last] = ClassicSpec::ALL.map(ClassicSpec::name);
    format!("{} and {last} ({last}:1 to {last}:{})", rest.join(", "), groundup::DEPTH - 1)
}

impl FromStr for ClassicSpec {
    type Err = UnknownClassic;

    /// Capitals do not matter. Without a setting, ChessBin plays at medium and JavaChess with MTD(f), as
    /// its author had it.
    fn from_str(text: &str) -> Result<Self, UnknownClassic> {
        match text.to_ascii_lowercase().as_str() {
            "chessbin" => Ok(Self::ChessBin(Level::Medium)),
            "javachess" => Ok(Self::JavaChess(Agent::Mtdf)),
            name => Self::ALL
                .into_iter()
                .chain((1..groundup::DEPTH).map(Self::GroundUp))
                .find(|spec| spec.name() == name)
                .ok_or_else(|| UnknownClassic(crate::quote(text))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_both_ways() {
        for spec in ClassicSpec::ALL {
            assert_eq!(spec.name().parse(), Ok(spec));
            assert_eq!(spec.create().name(), spec.name());
        }
        assert_eq!("groundup:5".parse(), Ok(ClassicSpec::GroundUp(5)));
        assert_eq!(ClassicSpec::GroundUp(5).create().name(), "groundup:5");
        assert_eq!("JavaChess".parse(), Ok(ClassicSpec::JavaChess(Agent::Mtdf)));
        assert_eq!("chessbin".parse(), Ok(ClassicSpec::ChessBin(Level::Medium)));
    }

    #[test]
    fn unknown_names_list_the_known_ones() {
        let message = "deepblue".parse::<ClassicSpec>().unwrap_err().to_string();
        assert_eq!(
            message,
            "no classic is called \"deepblue\"; there are chessbin:medium, chessbin:hard, piglet, \
             javachess:alphabeta, javachess:mtdf and groundup (groundup:1 to groundup:6)"
        );
        assert!("groundup:0".parse::<ClassicSpec>().is_err());
        assert!("groundup:8".parse::<ClassicSpec>().is_err());
        assert!("chessbin:easy".parse::<ClassicSpec>().is_err());
    }
}
