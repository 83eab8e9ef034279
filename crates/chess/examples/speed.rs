use chess::*;
use std::time::Instant;
fn main() {
    for (f, d) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5),
        ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 5),
    ] {
        let p = Position::from_fen(f).unwrap();
        let mut best = 0f64;
        let mut n = 0;
        for _ in 0..5 {
            let t = Instant::now();
            n = perft::perft(&p, d);
            let s = t.elapsed().as_secs_f64();
            best = best.max(n as f64 / s / 1e6);
        }
        let c = f.parse::<cozy_chess::Board>().unwrap();
        let mut bc = 0f64;
        for _ in 0..5 {
            let t = Instant::now();
            let m = cz(&c, d);
            assert_eq!(m, n);
            bc = bc.max(n as f64 / t.elapsed().as_secs_f64() / 1e6);
        }
        println!("{n} {best:.0} Mnps cozy {bc:.0} ratio {:.2}", best / bc);
    }
}
fn cz(b: &cozy_chess::Board, d: u32) -> u64 {
    let mut n = 0;
    if d == 1 {
        b.generate_moves(|m| {
            n += m.len() as u64;
            false
        });
    } else {
        b.generate_moves(|ms| {
            for m in ms {
                let mut c = b.clone();
                c.play_unchecked(m);
                n += cz(&c, d - 1);
            }
            false
        });
    }
    n
}
