//! Precision and recall of the motifs against a file of labelled puzzles.

use chess::{Move, Position};
use coach::{Line, Motif};
use std::collections::{BTreeMap, BTreeSet};

fn main() {
    let mut args = std::env::args().skip(1);
    let path = args.next().expect("a CSV file of puzzles");
    let show = args.next();
    let text = std::fs::read_to_string(path).expect("readable");
    let mut counts: BTreeMap<&str, [u32; 3]> = BTreeMap::new();
    for row in text.lines().skip(1) {
        let fields: Vec<&str> = row.split(',').collect();
        let position: Position = fields[1].parse().expect("FEN");
        let mut at = position;
        let mut moves: Vec<Move> = Vec::new();
        for word in fields[2].split(' ') {
            let mv = at.parse_uci(word).expect("move");
            moves.push(mv);
            at.play(mv);
        }
        let start = position.after(moves[0]);
        let line = Line::new(start, moves[1..].iter().copied()).with_lead_in(position, moves[0]);
        let themes: BTreeSet<&str> = fields[4].split(' ').collect();
        let found: BTreeSet<&str> =
            coach::motif::find(&line).into_iter().map(|finding| finding.motif.code()).collect();
        for motif in Motif::ALL {
            let code = motif.code();
            let count = counts.entry(code).or_default();
            let (said, labelled) = (found.contains(code), themes.contains(code));
            count[0] += u32::from(said && labelled);
            count[1] += u32::from(said && !labelled);
            count[2] += u32::from(!said && labelled);
            if show.as_deref() == Some(code) && said != labelled {
                let mut at = start;
                let sans: Vec<String> = moves[1..]
                    .iter()
                    .map(|&mv| {
                        let san = at.san(mv).to_string();
                        at.play(mv);
                        san
                    })
                    .collect();
                println!(
                    "{} {} lead {} : {} [{}]",
                    if said { "FALSE" } else { "MISS " },
                    start.to_fen(),
                    position.san(moves[0]),
                    sans.join(" "),
                    fields[4]
                );
            }
        }
    }
    println!("{:20} {:>5} {:>5} {:>5}  prec  recall", "theme", "true", "false", "miss");
    for (theme, [hit, wrong, missed]) in counts {
        let ratio = |a: u32, b: u32| if a + b == 0 { 1.0 } else { f64::from(a) / f64::from(a + b) };
        println!(
            "{theme:20} {hit:>5} {wrong:>5} {missed:>5}  {:.2}  {:.2}",
            ratio(hit, wrong),
            ratio(hit, missed)
        );
    }
}
