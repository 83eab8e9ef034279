//! The weights of the evaluation, in centipawns for middle game and end game. Data only: this file is
//! written by the tuner, from the list in `terms.rs`.

use crate::score::S;
use crate::terms::Weights;

/// The weights Gardez plays with.
#[rustfmt::skip]
pub const WEIGHTS: Weights = Weights {
    // Pawn, knight, bishop, rook, queen.
    material: [S(85, 112), S(318, 297), S(343, 317), S(478, 572), S(999, 996)],
    // Two bishops or more.
    bishop_pair: [S(18, 54)],
    // Each further knight, rook, queen beside the first.
    same_kind: [S(-8, -15), S(-15, -26), S(-20, -20)],
    // Products of own counts: N-P, B-P, B-N, R-P, R-N, R-B, Q-P, Q-N, Q-B, Q-R.
    own_pairs: [
        S(   5,   12), S(   4,    5), S(  -1,    4), S(  -5,    6), S(   0,    2), S(   1,    6), S(  -4,   19), S(  -8,   -2),
        S(  -7,   -3), S( -10,   -8),
    ],
    // Products of an own count and a smaller enemy's: N-P, B-P, B-N, R-P, R-N, R-B, Q-P, Q-N, Q-B, Q-R.
    enemy_pairs: [
        S(   3,    8), S(  -1,    9), S(   1,   -3), S(  -3,    9), S(   2,    8), S(   1,  -13), S(   3,   21), S(  12,   13),
        S(   2,    6), S( -10,   -5),
    ],
    // By square with the own king on the right wing: P, N, B, R, Q, K with the enemy king on the same wing, then on the other. First row is rank 1.
    placement: [
        S(  -3,   -6), S(  -3,   -6), S(  -3,   -6), S(  -3,   -6), S(  -3,   -6), S(  -3,   -6), S(  -3,   -6), S(  -3,   -6),
        S( -16,   -2), S( -14,    4), S( -11,   -1), S( -14,    6), S( -14,    5), S(  -7,    5), S(  10,    5), S( -13,    1),
        S( -11,   -9), S( -22,   -6), S(  -1,   -6), S(  -5,  -17), S(   5,    1), S(  -5,    2), S(  11,   -5), S(  -1,   -4),
        S(  -8,   -3), S( -14,   -2), S(   5,  -13), S(  25,  -12), S(  14,    0), S(   6,    0), S(  -9,   -5), S(  -2,   -7),
        S(   3,    4), S(  -8,    2), S(  18,   -3), S(  16,   -5), S(  18,    2), S(   6,    4), S(  13,    2), S(  -3,    9),
        S(  23,   26), S(  30,   30), S(  23,   25), S(  30,   19), S(  35,   29), S(  25,   30), S(  15,   32), S(   9,   16),
        S(  33,   54), S(  39,   59), S(  40,   56), S(  44,   62), S(  42,   62), S(  45,   64), S(  41,   55), S(  35,   53),
        S(  -3,   -6), S(  -3,   -6), S(  -3,   -6), S(  -3,   -6), S(  -3,   -6), S(  -3,   -6), S(  -3,   -6), S(  -3,   -6),
        S( -42,  -23), S( -24,  -10), S( -28,   -7), S( -23,   -6), S( -14,   -1), S( -24,  -11), S( -29,  -24), S( -42,  -23),
        S( -26,  -17), S( -18,   -9), S(   3,   -3), S(  -3,    1), S(   0,   -2), S(  -6,   -7), S( -16,   -8), S( -18,  -19),
        S( -10,  -12), S( -18,   -3), S(   0,    0), S(   8,   20), S(  14,    9), S(   7,    0), S( -10,   -2), S(  -9,  -13),
        S(   8,    0), S(  11,    5), S(   6,   12), S(  15,   12), S(  20,   16), S(  19,   17), S(  21,    5), S(   7,    0),
        S(  -2,   -5), S(   9,    3), S(  15,    9), S(  28,   21), S(  27,   12), S(  21,    8), S(  26,   -1), S(  13,    4),
        S(  -9,  -10), S(   5,   -7), S(  10,   -1), S(   7,    7), S(  19,   11), S(  16,    4), S(   6,   -5), S(  -4,  -10),
        S( -23,  -16), S( -18,  -12), S(  -1,    4), S(   1,    3), S(   5,    6), S(  -5,   -2), S( -17,   -9), S( -21,  -18),
        S( -45,  -24), S( -35,  -18), S( -27,  -10), S( -18,   -2), S( -17,   -2), S( -27,   -9), S( -35,  -17), S( -44,  -24),
        S( -16,   -7), S( -12,   -3), S(  -9,   -5), S( -10,    0), S( -11,   -4), S( -18,    2), S( -14,   -4), S( -10,   -9),
        S(  -4,   -6), S(   7,   -8), S(  11,    0), S( -15,    1), S(   2,   -4), S(   0,   -8), S(  18,  -17), S(  -9,  -10),
        S(  -2,   -5), S(   3,    5), S(  -3,   -5), S(   4,    5), S(   4,   12), S(   4,    5), S(   3,    5), S(   2,   -4),
        S(  -9,   -1), S(   2,    3), S(   9,   12), S(   9,    5), S(   8,   10), S(   6,    5), S(  -1,    3), S(  -1,    1),
        S(   3,    1), S(  -2,    4), S(   5,    8), S(  -2,    7), S(  19,   14), S(   5,    9), S(  -1,    0), S(   5,    2),
        S(  -1,    0), S(  -6,   -3), S(   6,    3), S(   2,    3), S(   6,   11), S(   4,    4), S(   7,    2), S(   3,   -3),
        S(  -7,   -4), S(   4,   -3), S(   1,    6), S(   3,    3), S(  -1,    4), S(  -4,   -2), S(  -1,   -3), S(  -5,   -4),
        S( -10,  -10), S( -13,   -5), S( -10,   -1), S(  -8,   -2), S(  -6,    1), S( -10,   -2), S( -13,   -7), S( -10,   -6),
        S(  -6,    4), S(  -2,   -3), S(   1,    1), S(   5,   -6), S(  11,   -9), S(   3,    5), S(  -3,  -13), S(  -3,   -4),
        S(  -3,    3), S( -14,   -5), S(   7,    5), S(   3,   -2), S(  -3,   -5), S(   8,    1), S(   0,   -3), S( -11,    1),
        S( -11,   -1), S(  -7,   -3), S(  -5,   -3), S(   1,   -5), S(  -3,   -7), S(   0,   -6), S(  -2,    0), S(  -5,   -4),
        S( -11,    3), S(   3,    3), S(   3,    5), S(   6,    6), S(   3,    1), S(   9,    3), S(  -5,    0), S( -10,    2),
        S(  -9,    4), S(  15,    7), S(   1,    4), S(   4,    2), S(   3,    1), S(   6,    0), S(   0,   -1), S(  -6,    5),
        S(  -9,    7), S(   8,   11), S(   2,    3), S(  16,   11), S(  11,    7), S(   9,    8), S(   4,    7), S(  -5,    5),
        S(  -4,    1), S(   3,    7), S(   6,    4), S(   8,    0), S(  10,    6), S(   9,   11), S(   3,    7), S(   6,    7),
        S(  -1,   10), S(   6,    9), S(   8,    8), S(  10,    4), S(  11,    7), S(   8,    9), S(   4,    9), S(  -2,    5),
        S(  -8,  -19), S( -24,  -13), S(   0,   -6), S(  -5,  -12), S(  -2,    0), S(  -6,   -7), S(   0,  -13), S(  -3,  -17),
        S(   1,  -12), S(  -5,   -5), S(   0,    0), S(  -4,    3), S(  -1,    4), S(   6,    1), S(   6,   -4), S(   5,  -10),
        S(   6,   -5), S(  -3,    0), S(   0,    8), S(   4,   10), S(   2,   10), S(   3,    4), S(   4,    1), S(  -2,   -7),
        S(  -4,    0), S(   5,    6), S(   3,   12), S(  10,   21), S(  12,   19), S(  10,   12), S(  10,    8), S(  12,    3),
        S(  -1,    2), S(  -4,    8), S(   4,   16), S(   6,   17), S(  10,   18), S(   8,   13), S(  10,   12), S(  16,    3),
        S(  -5,   -5), S(  -1,    3), S(   1,    8), S(   8,   15), S(  11,   13), S(   6,    5), S(   7,    1), S(   3,   -6),
        S(  -4,  -11), S(  -5,   -5), S(   3,    4), S(   0,    6), S(   8,    6), S(   6,    2), S(   5,   -5), S(   3,  -10),
        S(  -5,  -17), S(  -8,  -12), S(  -5,   -6), S(  -4,    0), S(   4,    0), S(   3,   -5), S(  -1,  -12), S(   1,  -19),
        S(  14,    5), S(  14,    5), S(  14,    5), S(  14,    5), S(  14,   -4), S(   5,  -11), S(  45,  -13), S(  44,  -30),
        S(  14,    5), S(  14,    5), S(  14,    5), S(  14,    5), S( -32,   12), S( -19,    9), S(  19,   -1), S(  15,   -5),
        S(  14,    5), S(  14,    5), S(  14,    5), S(  14,    5), S( -43,   25), S( -37,   20), S(  -4,   12), S(  -8,   -2),
        S(  14,    5), S(  14,    5), S(  14,    5), S(  14,    5), S( -62,   28), S( -56,   20), S( -23,    7), S( -25,    9),
        S(  14,    5), S(  14,    5), S(  14,    5), S(  14,    5), S( -70,   36), S( -66,   23), S( -30,   14), S( -35,    3),
        S(  14,    5), S(  14,    5), S(  14,    5), S(  14,    5), S( -76,   29), S( -71,   19), S( -36,   10), S( -40,   -1),
        S(  14,    5), S(  14,    5), S(  14,    5), S(  14,    5), S( -80,   11), S( -75,    3), S( -39,   -4), S( -44,  -15),
        S(  14,    5), S(  14,    5), S(  14,    5), S(  14,    5), S( -80,    1), S( -76,   -8), S( -40,  -16), S( -44,  -26),
        S(  -3,   -6), S(  -3,   -6), S(  -3,   -6), S(  -3,   -6), S(  -3,   -6), S(  -3,   -6), S(  -3,   -6), S(  -3,   -6),
        S( -20,   -3), S( -12,  -11), S( -16,   -5), S( -31,    1), S( -17,    3), S(   2,   -1), S(   9,    3), S(   2,    8),
        S( -13,  -10), S( -14,    5), S(  -3,   -5), S(   1,   -7), S(  -9,   -1), S(   1,   -1), S(  10,    0), S(   3,   -6),
        S(   6,    1), S(   0,    2), S(  11,   -8), S(  14,    0), S(   7,  -10), S(   2,   -5), S( -11,    4), S(  -4,    7),
        S(  17,    3), S(  10,    4), S(  24,   -2), S(  26,   -2), S(  24,   17), S(   4,   13), S(   6,   23), S(  -8,   11),
        S(  40,   21), S(  41,   25), S(  51,   24), S(  35,   33), S(  27,   29), S(  27,   33), S(  24,   34), S(  21,   27),
        S(  57,   59), S(  57,   57), S(  57,   58), S(  42,   59), S(  42,   62), S(  44,   61), S(  44,   65), S(  37,   60),
        S(  -3,   -6), S(  -3,   -6), S(  -3,   -6), S(  -3,   -6), S(  -3,   -6), S(  -3,   -6), S(  -3,   -6), S(  -3,   -6),
        S( -42,  -24), S( -30,  -23), S( -27,  -11), S( -16,    0), S( -13,   -2), S( -25,  -10), S( -28,  -17), S( -42,  -23),
        S( -23,  -18), S( -18,  -10), S( -10,    1), S( -21,    6), S(  -9,    6), S( -21,   -3), S( -12,   -6), S( -26,  -18),
        S( -21,  -15), S(  -2,   -3), S(   1,    4), S(  20,   13), S(   9,   18), S(  -4,   -6), S(  -6,   -2), S( -17,  -13),
        S(   8,   -1), S(  16,    6), S(  24,   16), S(  27,   14), S(  14,   14), S(  22,   13), S(   8,    2), S(  10,   -6),
        S(   9,   -1), S(  22,    4), S(  21,    9), S(  32,   18), S(  25,   17), S(  24,   19), S(  20,    8), S(   5,    0),
        S(  -4,   -9), S(   6,   -4), S(  13,    4), S(  26,   14), S(  18,   11), S(  11,    2), S(   4,   -6), S(  -7,   -8),
        S( -25,  -17), S( -16,  -10), S(  -5,   -2), S(   2,    5), S(   2,    3), S(  -6,    4), S( -12,   -3), S( -24,  -17),
        S( -47,  -26), S( -35,  -19), S( -26,  -10), S( -17,   -3), S( -17,   -2), S( -26,   -9), S( -35,  -16), S( -47,  -26),
        S( -12,   -5), S( -17,   -7), S( -10,    1), S(  -4,   -6), S(  -7,    3), S(  -8,    0), S( -13,   -4), S( -15,  -11),
        S( -10,   -7), S(   1,   -7), S(   4,   -3), S(  -2,    6), S(  -9,    2), S(  -1,    3), S(   7,   -1), S(  -5,   -7),
        S(  -7,    0), S(  -2,    3), S(  12,    0), S(   5,    7), S(  10,    3), S(   4,   -3), S(   4,    0), S(  -2,    0),
        S(   1,   -2), S(   2,    1), S(   5,    7), S(  11,   11), S(   8,    4), S(   5,    8), S(   7,    4), S(  -1,    1),
        S(  -2,    0), S(   4,    4), S(   4,    6), S(  10,    6), S(  19,   12), S(  13,   10), S(   4,    5), S(   6,    1),
        S(  -4,   -1), S(   0,    2), S(   9,    4), S(   7,    7), S(   9,    5), S(   9,    7), S(  -3,    3), S(  -4,   -2),
        S(  -5,   -6), S(   4,    1), S(  -3,   -1), S(   3,    3), S(   1,    1), S(   0,    0), S(   4,    0), S(  -7,   -5),
        S( -10,   -9), S( -13,   -6), S( -10,   -2), S(  -7,    0), S(  -6,    1), S( -10,   -1), S( -13,   -5), S( -11,   -9),
        S(  -4,   -3), S(   6,   -1), S(  -1,   -8), S(   3,   -3), S(   3,  -12), S(  -6,   -1), S(  -3,   -6), S( -13,    5),
        S(  -6,   -8), S(  -8,    1), S(   4,    0), S(   4,   -3), S(   8,   -3), S(   2,    2), S(  -3,   -2), S(  -7,   -2),
        S( -14,    0), S(  -5,   -1), S(  -2,   -2), S(   2,   -2), S(  -2,   -8), S(  -4,   -3), S(  -9,   -4), S( -11,    0),
        S(  -9,    3), S(  -2,    1), S(   1,    2), S(   9,    3), S(   5,    2), S(   7,    6), S(  -3,    2), S(  -7,    0),
        S(  -5,    3), S(  -1,    0), S(   6,    1), S(   6,    1), S(   7,    3), S(   2,    1), S(   2,    4), S(  -5,    2),
        S(   1,    9), S(   4,    6), S(   6,    6), S(  11,    7), S(  14,   11), S(   6,    8), S(   6,    8), S(  -3,    2),
        S(   2,    8), S(   4,    7), S(   5,    6), S(  10,    5), S(  11,    7), S(   6,    0), S(   2,    3), S(   1,    8),
        S(  -1,    5), S(   4,    6), S(   6,    6), S(  11,    7), S(  11,    6), S(   8,    5), S(   4,    8), S(   1,    5),
        S(  -2,  -17), S(   7,  -11), S(  -7,   -8), S(  -4,  -10), S(  -8,    0), S(   1,   -5), S(  -6,  -13), S(  -2,  -17),
        S(  -2,  -11), S(  -1,   -7), S(  17,    3), S(  -8,    3), S(   2,    4), S(  -3,   -1), S(  -3,   -5), S(  -4,  -12),
        S(   2,   -6), S(   6,    1), S(   3,    9), S(   7,   11), S(   4,   14), S(   5,    6), S(  -1,    0), S(   1,   -7),
        S(   9,    0), S(   3,    6), S(   9,   15), S(  10,   18), S(  17,   22), S(   7,   13), S(   4,    7), S(   8,    1),
        S(   8,    1), S(   9,    7), S(   7,   12), S(  13,   19), S(   6,   21), S(  -1,   14), S(  -2,    6), S(  -2,    0),
        S(   1,   -7), S(   6,    0), S(   5,    6), S(  11,   14), S(   4,   15), S(  -2,    5), S(  -1,    0), S(  -4,   -4),
        S(   2,  -12), S(   3,   -5), S(   5,    1), S(   6,    5), S(  -3,    5), S(  -6,    0), S(  -5,   -5), S(  -9,  -13),
        S(  -2,  -19), S(   0,  -12), S(   3,   -6), S(   5,    0), S(  -3,    1), S(  -3,   -3), S( -12,  -16), S( -10,  -18),
        S(  14,    5), S(  14,    5), S(  14,    5), S(  14,    5), S(  -3,   -2), S(   8,  -11), S(  44,  -13), S(  30,  -38),
        S(  14,    5), S(  14,    5), S(  14,    5), S(  14,    5), S( -25,    7), S( -10,    1), S(  25,   -8), S(  14,  -16),
        S(  14,    5), S(  14,    5), S(  14,    5), S(  14,    5), S( -48,   25), S( -38,   18), S(  -6,    6), S(  -7,   -4),
        S(  14,    5), S(  14,    5), S(  14,    5), S(  14,    5), S( -58,   37), S( -54,   28), S( -21,   18), S( -24,    3),
        S(  14,    5), S(  14,    5), S(  14,    5), S(  14,    5), S( -69,   34), S( -66,   31), S( -30,   19), S( -33,    9),
        S(  14,    5), S(  14,    5), S(  14,    5), S(  14,    5), S( -76,   29), S( -71,   21), S( -35,   11), S( -40,    0),
        S(  14,    5), S(  14,    5), S(  14,    5), S(  14,    5), S( -79,   13), S( -74,    8), S( -39,   -8), S( -43,  -16),
        S(  14,    5), S(  14,    5), S(  14,    5), S(  14,    5), S( -79,    3), S( -75,   -6), S( -40,  -17), S( -44,  -25),
    ],
    // By the number of safe squares.
    knight_mobility: [
        S( -24,  -38), S( -21,  -37), S( -11,  -14), S(  -7,   -4), S(   1,    3), S(   0,    6), S(   7,    7), S(  15,   10),
        S(  11,   10),
    ],
    // By the number of safe squares.
    bishop_mobility: [
        S( -37,  -34), S( -24,  -19), S( -12,  -27), S(  -7,  -10), S(  -2,   -2), S(   7,    4), S(   5,   11),
        S(  13,   10), S(   8,   21), S(  16,   16), S(   8,   23), S(   9,   18), S(  18,   21), S(  22,   25),
    ],
    // By the number of safe squares.
    rook_mobility: [
        S( -30,  -64), S( -24,  -35), S( -14,  -32), S( -10,  -24), S(  -5,  -10), S(  -6,   -3), S(  -6,    2), S(  -2,    1),
        S(   6,    9), S(   8,   12), S(  14,   10), S(   9,   24), S(  11,   19), S(  13,   22), S(  20,   27),
    ],
    // By the number of safe squares.
    queen_mobility: [
        S( -30,  -47), S( -19,  -31), S( -13,  -26), S( -14,  -23), S(  -9,  -13), S(  -6,   -9), S(  -3,   -7),
        S(   0,   -3), S(   0,    4), S(   3,    7), S(   6,    6), S(   4,    7), S(   4,    9), S(  10,    9),
        S(   3,    9), S(  10,   16), S(  10,   17), S(  13,   19), S(  12,   20), S(  15,   24), S(  14,   24),
        S(  14,   25), S(  16,   27), S(  17,   30), S(  18,   31), S(  19,   33), S(  19,   35), S(  20,   36),
    ],
    // Behind an enemy pawn on the file; on a file that is half open for the enemy.
    isolated: [S(-2, -10), S(-13, -16)],
    // Directly behind an own pawn; farther behind one.
    doubled: [S(-12, -21), S(2, 1)],
    // Behind an enemy pawn on the file; on a file that is half open for the enemy.
    backward: [S(4, -8), S(-11, -14)],
    // Protected by a pawn, by rank from the second.
    supported: [S(0, 0), S(14, 14), S(13, 4), S(23, 21), S(39, 46), S(61, 58)],
    // Beside another pawn, by rank from the second.
    phalanx: [S(6, 2), S(6, 11), S(8, 10), S(23, 38), S(60, 78), S(60, 80)],
    // Could become passed with the help of its neighbours, by rank from the second.
    candidate: [S(-6, -1), S(-3, -2), S(-1, 19), S(0, 12), S(23, 50), S(0, 0)],
    // Passed, by rank from the second.
    passed: [S(1, 2), S(-2, 13), S(-14, 37), S(14, 56), S(46, 96), S(116, 157)],
    // By the distance of the own king to the square ahead, times the ranks beyond the third.
    passed_own_king: [S(3, 14), S(7, 27), S(3, 11), S(-4, -1), S(-3, -9), S(-1, -8), S(-2, -10), S(-5, -12)],
    // By the distance of the enemy king to the square ahead, times the ranks beyond the third.
    passed_enemy_king: [S(9, -18), S(-7, -18), S(1, -11), S(4, 0), S(-6, 11), S(-12, 24), S(-4, 25), S(5, 25)],
    // An enemy piece stands in front, by rank.
    passed_blocked: [S(-1, -4), S(-6, -8), S(-10, -9), S(-2, -16), S(-14, -44), S(-30, -79)],
    // No piece on the way and no enemy attack on it, by rank.
    passed_free: [S(-2, 3), S(0, 15), S(-2, 14), S(7, 29), S(19, 60), S(32, 113)],
    // The next square is empty and not attacked, by rank.
    passed_safe_step: [S(7, 7), S(-9, 3), S(6, 7), S(6, 8), S(15, 20), S(22, 39)],
    // The next square is empty and protected, by rank.
    passed_supported_step: [S(-1, -2), S(4, 6), S(9, 7), S(0, 14), S(20, 23), S(26, 36)],
    // The enemy has only its king, and that comes too late.
    unstoppable: [S(0, 417)],
    // On squares no enemy pawn can attack: alone; protected by a pawn.
    knight_outpost: [S(18, -1), S(31, 3)],
    // On squares no enemy pawn can attack: alone; protected by a pawn.
    bishop_outpost: [S(19, -2), S(33, 10)],
    // A knight that can go to a protected outpost.
    outpost_in_reach: [S(15, 16)],
    // A pawn right in front of a knight or bishop.
    minor_behind_pawn: [S(7, 3)],
    // By knight and bishop, times the distance from the own king.
    minor_far_from_king: [S(-3, -4), S(-3, -4)],
    // Own pawns on the bishop's colour: all; those that cannot move.
    bad_bishop: [S(-5, -2), S(-3, -19)],
    // Sees both centre squares of its long diagonal past everything but pawns.
    long_diagonal: [S(12, -2)],
    // On a file without own pawns; without any.
    rook_file: [S(22, -5), S(31, 7)],
    // With the enemy king on the last rank or enemy pawns on the seventh: rook; queen.
    seventh: [S(16, 16), S(12, 14)],
    // Behind an own passed pawn; behind an enemy one.
    rook_behind_passer: [S(9, 27), S(8, 28)],
    // An enemy bishop or rook looks at the queen through one piece.
    queen_xrayed: [S(-16, -9)],
    // A rook shut in by its own king.
    trapped_rook: [S(-48, -4)],
    // Caught on the seventh rank, on the sixth; shut in at home.
    trapped_bishop: [S(-90, -71), S(-39, -37), S(-37, -12)],
    // On the rim of the enemy's half without a safe square.
    trapped_knight: [S(-14, -19)],
    // By how far the file is from the rim (4), then the rank of the own rearmost pawn, 0 for none (7).
    shelter: [
        S( -24,   13), S(  25,  -13), S(  17,   -6), S(   5,   -7), S(  -6,    5), S(  -3,    2), S( -12,   -1),
        S(  -4,    7), S(  31,   -6), S(  22,   -4), S(   2,    2), S( -10,    7), S( -12,    3), S( -18,    1),
        S( -13,    5), S(  23,   -2), S(  13,   -1), S(   1,   -8), S( -11,   -1), S(  -8,    0), S(  -8,    5),
        S(  -6,    2), S(  10,   -5), S(   6,    5), S(  -3,   -1), S(   1,   -6), S( -10,   -5), S(  -7,    6),
    ],
    // By how far the file is from the rim (4), then the rank of the enemy's foremost pawn, seen from the king, 0 for none (7).
    storm: [
        S(   1,   -3), S( -12,    1), S( -44,   -4), S( -22,   -3), S(  -8,   -5), S(   0,    0), S(  -5,    3),
        S(   2,   -1), S( -10,    2), S( -42,   -2), S( -27,    5), S(  -1,   -4), S(   4,    1), S(  -3,    4),
        S(   2,    5), S( -13,   -5), S( -36,   -1), S( -17,    1), S(   0,   -1), S(   3,   -2), S(  -1,   -1),
        S(  -5,    9), S(  -7,    0), S( -21,   -1), S(  -9,   -3), S( -10,  -10), S(  -2,    7), S(  -7,  -12),
    ],
    // An enemy pawn that the own cover holds up, by rank.
    storm_blocked: [S(0, 0), S(0, 0), S(-12, -21), S(-6, -16), S(-2, -17), S(2, -8), S(2, 0)],
    // The king's file without own pawns; without enemy pawns; without any.
    king_file: [S(-15, 7), S(-10, 8), S(-35, -1)],
    // No pawn at all on the king's wing.
    pawnless_wing: [S(-11, -48)],
    // Times the distance to the nearest pawn.
    king_from_pawns: [S(3, -9)],
    // A safe pawn attacks knight, bishop, rook, queen.
    threat_by_pawn: [S(69, 45), S(60, 45), S(80, 32), S(63, 26)],
    // A knight or bishop attacks pawn, knight, bishop, rook, queen that is weak or worth more.
    threat_by_minor: [S(7, 17), S(26, 25), S(27, 22), S(57, 40), S(45, 58)],
    // A rook attacks pawn, knight, bishop, rook, queen that is weak or worth more.
    threat_by_rook: [S(3, 21), S(20, 20), S(28, 25), S(-3, 18), S(41, 32)],
    // The king attacks something weak.
    threat_by_king: [S(4, 35)],
    // Attacked and not defended enough: pawn; piece.
    hanging: [S(16, 23), S(19, 16)],
    // A pawn can safely step up to attack a piece.
    threat_by_push: [S(14, 19)],
    // A safe square from which a knight, a bishop or rook would attack the queen.
    threat_on_queen: [S(7, 1), S(11, 10)],
    // Squares the enemy attacks but cannot safely use.
    restricted: [S(2, 0)],
    // Safe squares behind and among the own centre pawns, times pieces, over four.
    space: [S(1, 0)],
    // To the side that has the move.
    tempo: [S(24, 14)],
    // Enemy knight, bishop, rook, queen that bears on the ring around the king.
    ring_attacker: [S(96, 32), S(78, 41), S(76, 23), S(42, 17)],
    // Each attack on a square next to the king.
    ring_attack: [S(45, 7)],
    // Squares around the king that only king or queen defends.
    weak_ring: [S(87, 19)],
    // Safe checks by knight, bishop, rook, queen: one each, then several.
    safe_check: [S(479, 91), S(327, 82), S(549, 113), S(418, 100), S(696, 130), S(459, 110), S(817, 161), S(666, 159)],
    // Squares of checks that cost the checking piece.
    unsafe_check: [S(100, 19)],
    // Own pieces that shield the king and cannot leave.
    pinned_piece: [S(69, 20)],
    // Files next to the king without an own pawn.
    open_file_near_king: [S(26, 1)],
    // Squares on the king's wing that the enemy attacks; twice.
    wing_attack: [S(11, 10), S(19, 17)],
    // Squares on the king's wing that the own side defends.
    wing_defence: [S(-30, 1)],
    // A knight next to the king.
    knight_defender: [S(-58, -9)],
    // The enemy has no queen.
    no_queen: [S(-520, -120)],
    // Always there, to set the level at which danger begins.
    danger_base: [S(113, 20)],
    // Always; passed pawns; pawns; pawns on both wings; a king beyond the middle; kings apart by file; only pawns left; hardly winnable.
    initiative: [S(0, -67), S(0, 11), S(0, 7), S(0, 32), S(0, 5), S(0, 4), S(0, 41), S(0, -24)],
};
