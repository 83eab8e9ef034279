//! The weights of the evaluation, in centipawns for middle game and end game. Data only: this file is
//! written by the tuner, from the list in `terms.rs`.

use crate::score::S;
use crate::terms::Weights;

/// The weights Gardez plays with.
#[rustfmt::skip]
pub const WEIGHTS: Weights = Weights {
    // Pawn, knight, bishop, rook, queen.
    material: [S(82, 105), S(335, 305), S(350, 320), S(480, 555), S(1010, 1010)],
    // Two bishops or more.
    bishop_pair: [S(24, 48)],
    // Each further knight, rook, queen beside the first.
    same_kind: [S(-6, -8), S(-18, -20), S(-20, -20)],
    // Products of own counts: N-P, B-P, B-N, R-P, R-N, R-B, Q-P, Q-N, Q-B, Q-R.
    own_pairs: [
        S(   3,    4), S(   1,    2), S(   0,    0), S(  -2,   -1), S(   1,    0), S(   2,    2), S(   0,    1), S(   4,    3),
        S(   1,    1), S(  -4,   -4),
    ],
    // Products of an own count and a smaller enemy's: N-P, B-P, B-N, R-P, R-N, R-B, Q-P, Q-N, Q-B, Q-R.
    enemy_pairs: [
        S(   1,   -1), S(   1,    1), S(   0,    1), S(   1,    1), S(   0,    0), S(   1,    1), S(   1,    2), S(  -2,   -1),
        S(  -1,    0), S(  -6,   -6),
    ],
    // By square with the own king on the right wing: P, N, B, R, Q, K with the enemy king on the same wing, then on the other. First row is rank 1.
    placement: [
        S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
        S( -10,    6), S(  -6,    6), S( -10,    6), S( -20,    6), S( -20,    6), S(  -2,    6), S(   2,    6), S(  -2,    6),
        S(  -8,    0), S(  -4,    0), S(  -2,    0), S(   2,    0), S(   2,    0), S(   4,    0), S(   2,    0), S(  -2,    0),
        S(  -2,    2), S(   2,    2), S(   8,    2), S(  20,    2), S(  20,    2), S(   0,    2), S(  -6,    2), S( -10,    2),
        S(   8,   12), S(  12,   12), S(  18,   12), S(  26,   12), S(  26,   12), S(   8,   12), S(   2,   12), S(  -2,   12),
        S(  22,   34), S(  26,   34), S(  30,   34), S(  34,   34), S(  34,   34), S(  26,   34), S(  22,   34), S(  18,   34),
        S(  40,   64), S(  44,   64), S(  44,   64), S(  44,   64), S(  44,   64), S(  44,   64), S(  44,   64), S(  40,   64),
        S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
        S( -44,  -26), S( -35,  -19), S( -26,  -12), S( -17,   -5), S( -17,   -5), S( -26,  -12), S( -35,  -19), S( -44,  -26),
        S( -27,  -19), S( -18,  -12), S(  -9,   -5), S(   0,    2), S(   0,    2), S(  -9,   -5), S( -18,  -12), S( -27,  -19),
        S( -18,  -12), S(  -9,   -5), S(   0,    2), S(   9,    9), S(   9,    9), S(   0,    2), S(  -9,   -5), S( -18,  -12),
        S(  -1,   -5), S(   8,    2), S(  17,    9), S(  26,   16), S(  30,   16), S(  21,    9), S(  12,    2), S(   3,   -5),
        S(  -1,   -5), S(   8,    2), S(  17,    9), S(  26,   16), S(  30,   16), S(  21,    9), S(  12,    2), S(   3,   -5),
        S( -10,  -12), S(  -1,   -5), S(   8,    2), S(  17,    9), S(  21,    9), S(  12,    2), S(   3,   -5), S(  -6,  -12),
        S( -27,  -19), S( -18,  -12), S(  -9,   -5), S(   0,    2), S(   0,    2), S(  -9,   -5), S( -18,  -12), S( -27,  -19),
        S( -46,  -26), S( -37,  -19), S( -28,  -12), S( -19,   -5), S( -19,   -5), S( -28,  -12), S( -37,  -19), S( -46,  -26),
        S( -13,   -8), S( -15,   -5), S( -12,   -2), S(  -9,    1), S(  -9,    1), S( -12,   -2), S( -15,   -5), S( -13,   -8),
        S(  -7,   -5), S(   9,   -2), S(  -1,    1), S(   2,    4), S(   2,    4), S(  -1,    1), S(   9,   -2), S(  -7,   -5),
        S(  -4,   -2), S(  -1,    1), S(   7,    4), S(   5,    7), S(   5,    7), S(   7,    4), S(  -1,    1), S(  -4,   -2),
        S(  -1,    1), S(   2,    4), S(   5,    7), S(  13,   10), S(  13,   10), S(   5,    7), S(   2,    4), S(  -1,    1),
        S(  -1,    1), S(   2,    4), S(   5,    7), S(  13,   10), S(  13,   10), S(   5,    7), S(   2,    4), S(  -1,    1),
        S(  -4,   -2), S(  -1,    1), S(   7,    4), S(   5,    7), S(   5,    7), S(   7,    4), S(  -1,    1), S(  -4,   -2),
        S(  -7,   -5), S(   1,   -2), S(  -1,    1), S(   2,    4), S(   2,    4), S(  -1,    1), S(   1,   -2), S(  -7,   -5),
        S( -11,   -8), S( -13,   -5), S( -10,   -2), S(  -7,    1), S(  -7,    1), S( -10,   -2), S( -13,   -5), S( -11,   -8),
        S(  -8,   -4), S(  -4,   -4), S(   0,   -4), S(   4,   -4), S(   4,   -4), S(   0,   -4), S(  -4,   -4), S(  -8,   -4),
        S( -12,   -4), S(  -8,   -4), S(  -4,   -4), S(   0,   -4), S(   0,   -4), S(  -4,   -4), S(  -8,   -4), S( -12,   -4),
        S( -12,   -4), S(  -8,   -4), S(  -4,   -4), S(   0,   -4), S(   0,   -4), S(  -4,   -4), S(  -8,   -4), S( -12,   -4),
        S(  -8,   -1), S(  -4,   -1), S(   0,   -1), S(   4,   -1), S(   4,   -1), S(   0,   -1), S(  -4,   -1), S(  -8,   -1),
        S(  -8,   -1), S(  -4,   -1), S(   0,   -1), S(   4,   -1), S(   4,   -1), S(   0,   -1), S(  -4,   -1), S(  -8,   -1),
        S(  -4,    4), S(   0,    4), S(   4,    4), S(   8,    4), S(   8,    4), S(   4,    4), S(   0,    4), S(  -4,    4),
        S(  -4,    4), S(   0,    4), S(   4,    4), S(   8,    4), S(   8,    4), S(   4,    4), S(   0,    4), S(  -4,    4),
        S(  -4,    4), S(   0,    4), S(   4,    4), S(   8,    4), S(   8,    4), S(   4,    4), S(   0,    4), S(  -4,    4),
        S(  -6,  -18), S(  -4,  -12), S(  -2,   -6), S(   0,    0), S(   0,    0), S(  -2,   -6), S(  -4,  -12), S(  -6,  -18),
        S(  -4,  -12), S(  -2,   -6), S(   0,    0), S(   2,    6), S(   2,    6), S(   0,    0), S(  -2,   -6), S(  -4,  -12),
        S(  -2,   -6), S(   0,    0), S(   2,    6), S(   4,   12), S(   4,   12), S(   2,    6), S(   0,    0), S(  -2,   -6),
        S(   0,    0), S(   2,    6), S(   4,   12), S(   6,   18), S(   6,   18), S(   4,   12), S(   2,    6), S(   0,    0),
        S(  -6,    0), S(  -4,    6), S(  -2,   12), S(   0,   18), S(   8,   18), S(   6,   12), S(   4,    6), S(   2,    0),
        S(  -8,   -6), S(  -6,    0), S(  -4,    6), S(  -2,   12), S(   6,   12), S(   4,    6), S(   2,    0), S(   0,   -6),
        S( -10,  -12), S(  -8,   -6), S(  -6,    0), S(  -4,    6), S(   4,    6), S(   2,    0), S(   0,   -6), S(  -2,  -12),
        S( -12,  -18), S( -10,  -12), S(  -8,   -6), S(  -6,    0), S(   2,    0), S(   0,   -6), S(  -2,  -12), S(  -4,  -18),
        S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0), S( -14,   -3), S( -10,  -12), S(  26,  -21), S(  22,  -30),
        S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0), S( -34,    6), S( -30,   -3), S(   6,  -12), S(   2,  -21),
        S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0), S( -58,   21), S( -54,   12), S( -18,    3), S( -22,   -6),
        S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0), S( -74,   30), S( -70,   21), S( -34,   12), S( -38,    3),
        S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0), S( -84,   30), S( -80,   21), S( -44,   12), S( -48,    3),
        S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0), S( -90,   21), S( -86,   12), S( -50,    3), S( -54,   -6),
        S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0), S( -94,    6), S( -90,   -3), S( -54,  -12), S( -58,  -21),
        S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0), S( -94,   -3), S( -90,  -12), S( -54,  -21), S( -58,  -30),
        S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
        S( -16,    6), S( -12,    6), S( -16,    6), S( -20,    6), S( -20,    6), S(   0,    6), S(   4,    6), S(   0,    6),
        S( -10,    0), S(  -6,    0), S(  -4,    0), S(   2,    0), S(   2,    0), S(   4,    0), S(   2,    0), S(  -2,    0),
        S(   4,    2), S(   8,    2), S(  14,    2), S(  20,    2), S(  20,    2), S(   2,    2), S(  -4,    2), S(  -8,    2),
        S(  22,   12), S(  26,   12), S(  32,   12), S(  26,   12), S(  26,   12), S(  10,   12), S(   4,   12), S(   0,   12),
        S(  44,   34), S(  48,   34), S(  52,   34), S(  34,   34), S(  34,   34), S(  28,   34), S(  24,   34), S(  20,   34),
        S(  56,   64), S(  60,   64), S(  60,   64), S(  44,   64), S(  44,   64), S(  44,   64), S(  44,   64), S(  40,   64),
        S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0),
        S( -44,  -26), S( -35,  -19), S( -26,  -12), S( -17,   -5), S( -17,   -5), S( -26,  -12), S( -35,  -19), S( -44,  -26),
        S( -27,  -19), S( -18,  -12), S(  -9,   -5), S(   0,    2), S(   0,    2), S(  -9,   -5), S( -18,  -12), S( -27,  -19),
        S( -18,  -12), S(  -9,   -5), S(   0,    2), S(   9,    9), S(   9,    9), S(   0,    2), S(  -9,   -5), S( -18,  -12),
        S(   3,   -5), S(  12,    2), S(  21,    9), S(  30,   16), S(  26,   16), S(  17,    9), S(   8,    2), S(  -1,   -5),
        S(   3,   -5), S(  12,    2), S(  21,    9), S(  30,   16), S(  26,   16), S(  17,    9), S(   8,    2), S(  -1,   -5),
        S(  -6,  -12), S(   3,   -5), S(  12,    2), S(  21,    9), S(  17,    9), S(   8,    2), S(  -1,   -5), S( -10,  -12),
        S( -27,  -19), S( -18,  -12), S(  -9,   -5), S(   0,    2), S(   0,    2), S(  -9,   -5), S( -18,  -12), S( -27,  -19),
        S( -46,  -26), S( -37,  -19), S( -28,  -12), S( -19,   -5), S( -19,   -5), S( -28,  -12), S( -37,  -19), S( -46,  -26),
        S( -13,   -8), S( -15,   -5), S( -12,   -2), S(  -9,    1), S(  -9,    1), S( -12,   -2), S( -15,   -5), S( -13,   -8),
        S(  -7,   -5), S(   9,   -2), S(  -1,    1), S(   2,    4), S(   2,    4), S(  -1,    1), S(   9,   -2), S(  -7,   -5),
        S(  -4,   -2), S(  -1,    1), S(   7,    4), S(   5,    7), S(   5,    7), S(   7,    4), S(  -1,    1), S(  -4,   -2),
        S(  -1,    1), S(   2,    4), S(   5,    7), S(  13,   10), S(  13,   10), S(   5,    7), S(   2,    4), S(  -1,    1),
        S(  -1,    1), S(   2,    4), S(   5,    7), S(  13,   10), S(  13,   10), S(   5,    7), S(   2,    4), S(  -1,    1),
        S(  -4,   -2), S(  -1,    1), S(   7,    4), S(   5,    7), S(   5,    7), S(   7,    4), S(  -1,    1), S(  -4,   -2),
        S(  -7,   -5), S(   1,   -2), S(  -1,    1), S(   2,    4), S(   2,    4), S(  -1,    1), S(   1,   -2), S(  -7,   -5),
        S( -11,   -8), S( -13,   -5), S( -10,   -2), S(  -7,    1), S(  -7,    1), S( -10,   -2), S( -13,   -5), S( -11,   -8),
        S(  -8,   -4), S(  -4,   -4), S(   0,   -4), S(   4,   -4), S(   4,   -4), S(   0,   -4), S(  -4,   -4), S(  -8,   -4),
        S( -12,   -4), S(  -8,   -4), S(  -4,   -4), S(   0,   -4), S(   0,   -4), S(  -4,   -4), S(  -8,   -4), S( -12,   -4),
        S( -12,   -4), S(  -8,   -4), S(  -4,   -4), S(   0,   -4), S(   0,   -4), S(  -4,   -4), S(  -8,   -4), S( -12,   -4),
        S(  -8,   -1), S(  -4,   -1), S(   0,   -1), S(   4,   -1), S(   4,   -1), S(   0,   -1), S(  -4,   -1), S(  -8,   -1),
        S(  -8,   -1), S(  -4,   -1), S(   0,   -1), S(   4,   -1), S(   4,   -1), S(   0,   -1), S(  -4,   -1), S(  -8,   -1),
        S(  -4,    4), S(   0,    4), S(   4,    4), S(   8,    4), S(   8,    4), S(   4,    4), S(   0,    4), S(  -4,    4),
        S(  -4,    4), S(   0,    4), S(   4,    4), S(   8,    4), S(   8,    4), S(   4,    4), S(   0,    4), S(  -4,    4),
        S(  -4,    4), S(   0,    4), S(   4,    4), S(   8,    4), S(   8,    4), S(   4,    4), S(   0,    4), S(  -4,    4),
        S(  -6,  -18), S(  -4,  -12), S(  -2,   -6), S(   0,    0), S(   0,    0), S(  -2,   -6), S(  -4,  -12), S(  -6,  -18),
        S(  -4,  -12), S(  -2,   -6), S(   0,    0), S(   2,    6), S(   2,    6), S(   0,    0), S(  -2,   -6), S(  -4,  -12),
        S(  -2,   -6), S(   0,    0), S(   2,    6), S(   4,   12), S(   4,   12), S(   2,    6), S(   0,    0), S(  -2,   -6),
        S(   0,    0), S(   2,    6), S(   4,   12), S(   6,   18), S(   6,   18), S(   4,   12), S(   2,    6), S(   0,    0),
        S(   2,    0), S(   4,    6), S(   6,   12), S(   8,   18), S(   0,   18), S(  -2,   12), S(  -4,    6), S(  -6,    0),
        S(   0,   -6), S(   2,    0), S(   4,    6), S(   6,   12), S(  -2,   12), S(  -4,    6), S(  -6,    0), S(  -8,   -6),
        S(  -2,  -12), S(   0,   -6), S(   2,    0), S(   4,    6), S(  -4,    6), S(  -6,    0), S(  -8,   -6), S( -10,  -12),
        S(  -4,  -18), S(  -2,  -12), S(   0,   -6), S(   2,    0), S(  -6,    0), S(  -8,   -6), S( -10,  -12), S( -12,  -18),
        S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0), S( -14,   -3), S( -10,  -12), S(  26,  -21), S(  22,  -30),
        S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0), S( -34,    6), S( -30,   -3), S(   6,  -12), S(   2,  -21),
        S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0), S( -58,   21), S( -54,   12), S( -18,    3), S( -22,   -6),
        S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0), S( -74,   30), S( -70,   21), S( -34,   12), S( -38,    3),
        S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0), S( -84,   30), S( -80,   21), S( -44,   12), S( -48,    3),
        S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0), S( -90,   21), S( -86,   12), S( -50,    3), S( -54,   -6),
        S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0), S( -94,    6), S( -90,   -3), S( -54,  -12), S( -58,  -21),
        S(   0,    0), S(   0,    0), S(   0,    0), S(   0,    0), S( -94,   -3), S( -90,  -12), S( -54,  -21), S( -58,  -30),
    ],
    // By the number of safe squares.
    knight_mobility: [
        S( -36,  -40), S( -18,  -20), S( -11,  -12), S(  -5,   -5), S(   0,    0), S(   4,    5), S(   8,    9), S(  12,   13),
        S(  15,   17),
    ],
    // By the number of safe squares.
    bishop_mobility: [
        S( -42,  -47), S( -25,  -28), S( -18,  -20), S( -12,  -14), S(  -8,   -9), S(  -4,   -4), S(   0,    0),
        S(   3,    4), S(   6,    7), S(   9,   10), S(  12,   14), S(  15,   16), S(  17,   19), S(  20,   22),
    ],
    // By the number of safe squares.
    rook_mobility: [
        S( -32,  -63), S( -20,  -39), S( -15,  -30), S( -11,  -22), S(  -8,  -15), S(  -5,  -10), S(  -2,   -5), S(   0,    0),
        S(   2,    4), S(   4,    9), S(   6,   12), S(   8,   16), S(  10,   20), S(  12,   23), S(  13,   26),
    ],
    // By the number of safe squares.
    queen_mobility: [
        S( -32,  -58), S( -23,  -42), S( -20,  -35), S( -17,  -30), S( -14,  -26), S( -12,  -22), S( -10,  -18),
        S(  -9,  -15), S(  -7,  -12), S(  -5,  -10), S(  -4,   -7), S(  -3,   -5), S(  -1,   -2), S(   0,    0),
        S(   1,    2), S(   2,    4), S(   4,    6), S(   5,    8), S(   6,   10), S(   7,   12), S(   8,   14),
        S(   9,   16), S(  10,   17), S(  11,   19), S(  12,   21), S(  13,   22), S(  13,   24), S(  14,   25),
    ],
    // Behind an enemy pawn on the file; on a file that is half open for the enemy.
    isolated: [S(-6, -10), S(-14, -16)],
    // Directly behind an own pawn; farther behind one.
    doubled: [S(-10, -24), S(-6, -16)],
    // Behind an enemy pawn on the file; on a file that is half open for the enemy.
    backward: [S(-6, -9), S(-14, -16)],
    // Protected by a pawn, by rank from the second.
    supported: [S(0, 0), S(12, 8), S(12, 10), S(22, 20), S(44, 50), S(60, 60)],
    // Beside another pawn, by rank from the second.
    phalanx: [S(4, 0), S(8, 4), S(14, 12), S(28, 36), S(60, 80), S(60, 80)],
    // Could become passed with the help of its neighbours, by rank from the second.
    candidate: [S(-2, 2), S(0, 6), S(6, 14), S(14, 30), S(30, 50), S(0, 0)],
    // Passed, by rank from the second.
    passed: [S(0, 10), S(-2, 14), S(0, 28), S(18, 56), S(48, 100), S(110, 150)],
    // By the distance of the own king to the square ahead, times the ranks beyond the third.
    passed_own_king: [S(0, 0), S(2, 10), S(0, 6), S(0, 1), S(0, -4), S(0, -7), S(0, -9), S(0, -10)],
    // By the distance of the enemy king to the square ahead, times the ranks beyond the third.
    passed_enemy_king: [S(0, -24), S(-4, -18), S(-2, -6), S(0, 4), S(0, 10), S(0, 14), S(0, 16), S(0, 16)],
    // An enemy piece stands in front, by rank.
    passed_blocked: [S(0, -4), S(-2, -8), S(-4, -14), S(-8, -26), S(-18, -50), S(-30, -80)],
    // No piece on the way and no enemy attack on it, by rank.
    passed_free: [S(0, 4), S(0, 8), S(2, 14), S(6, 28), S(16, 60), S(30, 110)],
    // The next square is empty and not attacked, by rank.
    passed_safe_step: [S(0, 2), S(0, 4), S(2, 8), S(6, 14), S(12, 24), S(20, 36)],
    // The next square is empty and protected, by rank.
    passed_supported_step: [S(0, 2), S(2, 4), S(4, 6), S(8, 10), S(14, 16), S(20, 24)],
    // The enemy has only its king, and that comes too late.
    unstoppable: [S(0, 420)],
    // On squares no enemy pawn can attack: alone; protected by a pawn.
    knight_outpost: [S(14, 8), S(30, 18)],
    // On squares no enemy pawn can attack: alone; protected by a pawn.
    bishop_outpost: [S(10, 2), S(24, 8)],
    // A knight that can go to a protected outpost.
    outpost_in_reach: [S(12, 6)],
    // A pawn right in front of a knight or bishop.
    minor_behind_pawn: [S(8, 4)],
    // By knight and bishop, times the distance from the own king.
    minor_far_from_king: [S(-4, -4), S(-3, -3)],
    // Own pawns on the bishop's colour: all; those that cannot move.
    bad_bishop: [S(-3, -6), S(-4, -7)],
    // Sees both centre squares of its long diagonal past everything but pawns.
    long_diagonal: [S(16, 4)],
    // On a file without own pawns; without any.
    rook_file: [S(14, 8), S(34, 12)],
    // With the enemy king on the last rank or enemy pawns on the seventh: rook; queen.
    seventh: [S(8, 20), S(0, 8)],
    // Behind an own passed pawn; behind an enemy one.
    rook_behind_passer: [S(6, 20), S(4, 20)],
    // An enemy bishop or rook looks at the queen through one piece.
    queen_xrayed: [S(-22, -8)],
    // A rook shut in by its own king.
    trapped_rook: [S(-48, -10)],
    // Caught on the seventh rank, on the sixth; shut in at home.
    trapped_bishop: [S(-90, -70), S(-40, -40), S(-40, -10)],
    // On the rim of the enemy's half without a safe square.
    trapped_knight: [S(-24, -20)],
    // By how far the file is from the rim (4), then the rank of the own rearmost pawn, 0 for none (7).
    shelter: [
        S( -10,    0), S(  18,    0), S(  13,    0), S(   2,    0), S(  -3,    0), S(  -6,    0), S( -10,    0),
        S( -24,    0), S(  33,    0), S(  24,    0), S(   3,    0), S(  -6,    0), S( -12,    0), S( -18,    0),
        S( -18,    0), S(  22,    0), S(  16,    0), S(   2,    0), S(  -4,    0), S(  -8,    0), S( -12,    0),
        S(  -8,    0), S(  15,    0), S(  11,    0), S(   1,    0), S(  -3,    0), S(  -6,    0), S(  -8,    0),
    ],
    // By how far the file is from the rim (4), then the rank of the enemy's foremost pawn, seen from the king, 0 for none (7).
    storm: [
        S(   2,    0), S( -10,    0), S( -42,   -8), S( -24,   -4), S(  -8,    0), S(   0,    0), S(   2,    0),
        S(   2,    0), S( -11,    0), S( -46,   -8), S( -26,   -4), S(  -9,    0), S(   0,    0), S(   2,    0),
        S(   2,    0), S(  -9,    0), S( -38,   -8), S( -22,   -4), S(  -7,    0), S(   0,    0), S(   2,    0),
        S(   1,    0), S(  -7,    0), S( -29,   -8), S( -17,   -4), S(  -6,    0), S(   0,    0), S(   1,    0),
    ],
    // An enemy pawn that the own cover holds up, by rank.
    storm_blocked: [S(0, 0), S(0, 0), S(-6, -20), S(-4, -8), S(-2, -4), S(0, 0), S(0, 0)],
    // The king's file without own pawns; without enemy pawns; without any.
    king_file: [S(-16, 4), S(-6, 6), S(-34, 0)],
    // No pawn at all on the king's wing.
    pawnless_wing: [S(-16, -50)],
    // Times the distance to the nearest pawn.
    king_from_pawns: [S(0, -10)],
    // A safe pawn attacks knight, bishop, rook, queen.
    threat_by_pawn: [S(64, 40), S(62, 46), S(84, 34), S(74, 30)],
    // A knight or bishop attacks pawn, knight, bishop, rook, queen that is weak or worth more.
    threat_by_minor: [S(4, 18), S(32, 24), S(34, 28), S(58, 50), S(46, 60)],
    // A rook attacks pawn, knight, bishop, rook, queen that is weak or worth more.
    threat_by_rook: [S(2, 22), S(22, 30), S(26, 34), S(0, 18), S(46, 34)],
    // The king attacks something weak.
    threat_by_king: [S(14, 44)],
    // Attacked and not defended enough: pawn; piece.
    hanging: [S(8, 18), S(34, 22)],
    // A pawn can safely step up to attack a piece.
    threat_by_push: [S(20, 18)],
    // A safe square from which a knight, a bishop or rook would attack the queen.
    threat_on_queen: [S(12, 8), S(26, 12)],
    // Squares the enemy attacks but cannot safely use.
    restricted: [S(3, 3)],
    // Safe squares behind and among the own centre pawns, times pieces, over four.
    space: [S(2, 0)],
    // To the side that has the move.
    tempo: [S(18, 14)],
    // Enemy knight, bishop, rook, queen that bears on the ring around the king.
    ring_attacker: [S(95, 30), S(75, 40), S(70, 25), S(45, 15)],
    // Each attack on a square next to the king.
    ring_attack: [S(50, 10)],
    // Squares around the king that only king or queen defends.
    weak_ring: [S(115, 25)],
    // Safe checks by knight, bishop, rook, queen: one each, then several.
    safe_check: [S(480, 90), S(330, 80), S(560, 110), S(430, 100), S(700, 130), S(460, 110), S(820, 160), S(680, 160)],
    // Squares of checks that cost the checking piece.
    unsafe_check: [S(90, 20)],
    // Own pieces that shield the king and cannot leave.
    pinned_piece: [S(70, 20)],
    // Files next to the king without an own pawn.
    open_file_near_king: [S(55, 0)],
    // Squares on the king's wing that the enemy attacks; twice.
    wing_attack: [S(14, 4), S(22, 6)],
    // Squares on the king's wing that the own side defends.
    wing_defence: [S(-18, -4)],
    // A knight next to the king.
    knight_defender: [S(-60, -10)],
    // The enemy has no queen.
    no_queen: [S(-520, -120)],
    // Always there, to set the level at which danger begins.
    danger_base: [S(120, 20)],
    // Always; passed pawns; pawns; pawns on both wings; a king beyond the middle; kings apart by file; only pawns left; hardly winnable.
    initiative: [S(0, -70), S(0, 8), S(0, 7), S(0, 14), S(0, 16), S(0, 5), S(0, 34), S(0, -28)],
};
