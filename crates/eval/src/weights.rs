//! The weights of the evaluation, in units for middle game and end game. Data only: this file is
//! written by the tuner, from the list in `terms.rs`.

use crate::score::S;
use crate::terms::Weights;

/// The weights Gardez plays with.
#[rustfmt::skip]
pub const WEIGHTS: Weights = Weights {
    // Pawn, knight, bishop, rook, queen.
    material: [S(63, 138), S(275, 352), S(289, 389), S(468, 674), S(988, 969)],
    // Two bishops or more.
    bishop_pair: [S(17, 50)],
    // Each further knight, rook, queen beside the first.
    same_kind: [S(2, -28), S(12, -77), S(-25, -23)],
    // Products of own counts: N-P, B-P, B-N, R-P, R-N, R-B, Q-P, Q-N, Q-B, Q-R.
    own_pairs: [
        S(   1,   17), S(   1,   10), S(   4,  -19), S(  -5,   17), S(   7,  -24), S(  17,  -22), S( -17,   45), S( -13,  -35),
        S( -25,  -16), S( -51,  -84),
    ],
    // Products of an own count and a smaller enemy's: N-P, B-P, B-N, R-P, R-N, R-B, Q-P, Q-N, Q-B, Q-R.
    enemy_pairs: [
        S(  -1,   18), S(  -3,   19), S(   1,  -10), S(  -6,   22), S(  -9,   -5), S( -14,  -13), S( -13,   70), S(  19,   46),
        S(  13,   29), S(  -7,   64),
    ],
    // By square with the own king on the right wing: P, N, B, R, Q, K with the enemy king on the same wing, then on the other. First row is rank 1.
    placement: [
        S(  -4,   -5), S(  -4,   -5), S(  -4,   -5), S(  -4,   -5), S(  -4,   -5), S(  -4,   -5), S(  -4,   -5), S(  -4,   -5),
        S( -10,    3), S(  -6,   -9), S(  -4,   -3), S(  -6,    3), S(  -7,    8), S(  -8,    6), S(  14,    3), S(  -2,   -6),
        S(  -9,   -6), S( -18,  -10), S(  -2,  -11), S(  -4,  -21), S(   7,    0), S( -10,   17), S(  12,  -10), S(  -3,   -9),
        S(  -6,    4), S( -13,   -5), S(   5,  -21), S(  12,  -21), S(   7,  -10), S(  17,   -9), S(  -2,    7), S(  -9,   -5),
        S(   7,   20), S(   2,    6), S(   9,  -15), S(  10,  -20), S(  15,  -13), S(  10,   17), S(  17,    1), S(  -6,   -2),
        S(  36,   24), S(  12,   27), S(  25,   15), S(  31,   -1), S(  23,   20), S(  28,   16), S(  20,   25), S(  32,   -7),
        S(  43,   41), S(  30,   72), S(  26,   43), S(  39,   58), S(  32,   65), S(  39,   48), S(  27,   47), S(  43,   38),
        S(  -4,   -5), S(  -4,   -5), S(  -4,   -5), S(  -4,   -5), S(  -4,   -5), S(  -4,   -5), S(  -4,   -5), S(  -4,   -5),
        S( -31,  -22), S( -19,  -24), S( -15,   -5), S( -25,   -7), S(  -1,    0), S( -17,    2), S( -24,  -31), S( -29,  -21),
        S( -13,  -15), S( -14,    1), S(  -2,    2), S(  -5,    0), S(  -5,   -3), S(  -6,  -17), S(  -2,   -3), S( -27,  -14),
        S( -12,  -12), S(  -2,    0), S(  -1,   -8), S(  10,   15), S(   9,   21), S(   4,    4), S(   3,    6), S( -13,  -30),
        S(  10,   15), S(  12,   23), S(   8,   14), S(  14,   26), S(  16,   20), S(  34,   13), S(  14,    3), S(   6,    5),
        S(  -7,    9), S(  12,   14), S(  17,    6), S(  26,   18), S(  27,   26), S(  32,   10), S(  21,    9), S(  38,    8),
        S(   0,   13), S(  10,    2), S(  22,    9), S(   1,   21), S(  23,   12), S(  20,    5), S(   2,   -5), S(   3,    3),
        S(  -5,  -10), S(  -5,    6), S(  14,   24), S(  17,   -2), S(  15,    7), S(  23,    7), S( -11,   -3), S( -24,  -24),
        S( -57,  -20), S( -32,   -7), S( -37,   -6), S( -12,   13), S( -10,   11), S( -31,    1), S( -33,  -14), S( -35,  -42),
        S(   8,  -12), S(  -6,   -1), S(  -3,   -6), S(  -1,    2), S( -12,    1), S( -22,    5), S( -26,   11), S(   8,   -5),
        S(  13,   -7), S(  16,   -8), S(  24,  -14), S(  -6,    2), S(  -2,   -1), S(   3,  -11), S(   8,  -21), S( -31,  -27),
        S(  20,    0), S(  13,    7), S(   1,  -18), S(   6,    7), S(   0,   19), S(   2,  -15), S(   3,    8), S(   2,   -1),
        S(   8,    3), S(  14,    7), S(  12,   15), S(   6,    6), S(   5,   -2), S(   8,    0), S(   0,  -12), S(  21,  -11),
        S(   2,   -3), S(   3,   10), S(   1,   15), S(  -4,    0), S(  14,    4), S(   0,    9), S(  13,    2), S(  -4,  -12),
        S(   4,    4), S(  13,   10), S(   2,    0), S(  17,   -2), S(  -5,   17), S(   4,   16), S(  16,  -14), S(   8,   -6),
        S(   6,    6), S( -21,    1), S(  -2,   16), S( -11,    9), S(  -3,   12), S(   4,   -4), S(  -4,  -12), S(  -4,   -4),
        S( -22,   -5), S( -15,    6), S( -11,   17), S( -10,    5), S( -10,   -6), S( -15,   -3), S( -15,  -10), S(  -3,    4),
        S(   2,    4), S(  -2,    0), S(   6,    3), S(  10,   -8), S(  16,  -17), S(  10,   -6), S( -11,   -6), S(   8,  -22),
        S(  -9,   13), S( -11,    2), S(  14,    2), S(   1,    4), S(   5,   -6), S(  18,  -13), S( -12,   -8), S( -19,  -14),
        S(  -6,   11), S(  -5,    6), S( -11,    4), S(  -4,    6), S(  -2,    6), S(   1,   -6), S(  -9,   -2), S(  -7,  -22),
        S( -20,   24), S( -13,   19), S( -12,   15), S(   0,   13), S(   3,    3), S( -11,    8), S(  -6,    2), S( -14,   -5),
        S( -15,   36), S(   9,   20), S(  12,   22), S(  -2,   16), S( -17,   18), S(   9,   -1), S( -19,    7), S(  -2,    2),
        S( -12,   33), S(  15,   20), S(   2,   22), S(  19,   23), S(  14,   11), S(   7,    8), S(  -4,    0), S(  -8,    3),
        S(  -8,   14), S( -10,   15), S(   5,   15), S(  15,    7), S( -12,    6), S( -11,   22), S( -11,   16), S(  24,   -2),
        S(   0,   28), S(   8,   37), S(  -6,   21), S(   6,   19), S(  -3,   12), S(   6,   28), S(   7,   26), S(  -9,    7),
        S(  -4,  -19), S( -20,   -3), S(  -5,  -18), S(   3,  -44), S(   1,  -21), S( -27,   -6), S( -17,  -18), S(  -2,  -16),
        S(  -1,  -13), S(  -8,   -4), S(   2,  -13), S(  -6,    5), S(  -5,   -1), S(  10,  -31), S(   9,   -3), S( -20,   -6),
        S(  -2,    6), S(   0,    6), S(  -9,   48), S(  -1,   29), S(   1,    8), S(   2,   17), S(   5,    8), S(   4,    2),
        S(   2,   17), S(   2,   16), S(  -2,   33), S(   4,   40), S(  -1,   36), S(   0,   40), S(  11,   22), S(  10,   16),
        S(   0,   33), S( -21,   41), S(  11,   39), S(  -4,   38), S(   4,   45), S(  11,   35), S(   5,   34), S(  14,   28),
        S(  -5,   18), S(  13,   26), S(  10,   37), S(  27,   41), S(  16,   32), S(  27,   24), S(  14,   12), S(   9,   15),
        S( -34,    8), S( -20,    9), S(  -6,   19), S(  -2,   15), S(   9,   21), S(  18,   13), S(  18,   19), S(   1,    9),
        S( -13,   11), S(   1,   14), S(  12,   21), S(   4,   20), S(   6,   12), S(   6,   14), S(   4,    9), S(  -8,   -7),
        S(  15,   11), S(  15,   11), S(  15,   11), S(  15,   11), S(  11,  -26), S(   2,  -15), S(  45,   -3), S(  46,  -32),
        S(  15,   11), S(  15,   11), S(  15,   11), S(  15,   11), S( -42,   21), S( -16,   13), S(  14,   17), S(  35,   -9),
        S(  15,   11), S(  15,   11), S(  15,   11), S(  15,   11), S( -40,   30), S( -35,   23), S(  -8,   19), S(   2,    1),
        S(  15,   11), S(  15,   11), S(  15,   11), S(  15,   11), S( -61,   40), S( -54,   24), S( -21,   17), S( -23,    3),
        S(  15,   11), S(  15,   11), S(  15,   11), S(  15,   11), S( -77,   42), S( -66,   30), S( -29,   16), S( -39,    9),
        S(  15,   11), S(  15,   11), S(  15,   11), S(  15,   11), S( -71,   49), S( -62,   35), S( -37,   26), S( -44,    2),
        S(  15,   11), S(  15,   11), S(  15,   11), S(  15,   11), S( -77,   27), S( -72,   17), S( -36,   19), S( -41,  -12),
        S(  15,   11), S(  15,   11), S(  15,   11), S(  15,   11), S( -79,    3), S( -75,   -2), S( -38,   -3), S( -52,  -56),
        S(  -4,   -5), S(  -4,   -5), S(  -4,   -5), S(  -4,   -5), S(  -4,   -5), S(  -4,   -5), S(  -4,   -5), S(  -4,   -5),
        S( -20,   15), S( -20,   24), S( -16,    7), S( -21,    5), S( -13,   21), S( -12,   -1), S(  12,    1), S(   7,   16),
        S( -12,   -1), S( -16,   -1), S( -14,   -8), S(  -1,   -8), S(  -7,   -3), S(  -3,   14), S(   6,    4), S(   1,    7),
        S(  -7,   10), S(  -5,    3), S(   6,  -22), S(   4,  -14), S(   0,   -7), S(   2,    3), S(  -3,   32), S(  -1,   25),
        S(  20,   10), S(  -5,    2), S(  17,  -13), S(   4,   -4), S(   8,    4), S( -15,   29), S(  18,   37), S( -14,   46),
        S(  13,   31), S(  40,   25), S(  48,    4), S(  56,   18), S(  18,   46), S(   1,   64), S(  20,   60), S(  20,   47),
        S(  70,   63), S(  63,   56), S(  61,   46), S(  38,   61), S(  53,   87), S(  55,   89), S(  49,   70), S(  22,   69),
        S(  -4,   -5), S(  -4,   -5), S(  -4,   -5), S(  -4,   -5), S(  -4,   -5), S(  -4,   -5), S(  -4,   -5), S(  -4,   -5),
        S( -53,  -33), S( -30,  -26), S(   0,    0), S( -36,   -2), S( -14,    6), S( -32,   -2), S( -27,  -28), S( -25,  -15),
        S( -23,  -21), S( -21,   12), S( -27,   16), S( -21,    5), S( -15,   17), S( -19,   11), S(   9,    3), S( -27,   -7),
        S( -27,   -1), S(   7,  -22), S(  -8,   -2), S(  18,   12), S(  -8,   28), S(   2,   -2), S(  -7,   14), S( -21,  -24),
        S(  16,    2), S(  25,    7), S(  16,   26), S(  20,   14), S(   4,   34), S(  21,   20), S(   2,   11), S(  18,  -20),
        S(  18,   -2), S(  18,    6), S(  30,   10), S(  13,   20), S(  26,   28), S(  39,   14), S(  28,   -1), S(  -1,    8),
        S(   1,   -2), S(  -4,   -9), S(   0,    2), S(  37,   27), S(  23,    4), S(  18,    2), S(   3,    3), S(   0,   -8),
        S( -14,  -11), S( -10,  -15), S(   9,    4), S(   6,    7), S(  11,   -1), S(  -1,   23), S(   4,   11), S( -11,  -17),
        S( -48,  -38), S( -33,  -15), S( -32,  -17), S( -16,    0), S( -12,   12), S( -20,   -4), S( -33,  -11), S( -39,  -31),
        S(  -4,    8), S( -17,   10), S( -18,    9), S( -10,   -9), S(  -6,    1), S( -23,    4), S( -14,    2), S(  -1,  -20),
        S( -27,   -3), S(   0,  -14), S( -11,    5), S(  -8,    8), S( -18,    7), S(   7,   13), S(  11,  -21), S(  14,   -2),
        S(   4,    2), S(  -7,   15), S(   6,   -8), S(  -7,   16), S(   6,   11), S(   1,   -4), S(  21,    8), S(  -1,    8),
        S(  -7,    2), S(   7,   -7), S(  -3,   18), S(  13,    7), S(  10,    2), S(   4,   22), S(  -1,    5), S( -15,    5),
        S( -15,   -4), S(   4,   11), S(   1,   -3), S( -13,    4), S(   2,   12), S(   2,   23), S(  10,   12), S(  -7,   -5),
        S(   8,   18), S(  14,    9), S( -10,    6), S(  21,   13), S(  12,   11), S(  20,    8), S(  -6,   26), S( -36,   13),
        S(  -2,   -8), S(  -1,  -10), S(   6,   15), S(   0,   17), S(  -8,    0), S(  -2,    8), S(   2,   -3), S(  -2,    4),
        S(  -4,   -9), S( -14,   -9), S( -11,    1), S( -13,    2), S( -10,    4), S( -20,   -3), S( -11,    3), S( -14,   -1),
        S(  -9,   -6), S(  -3,  -11), S(  -1,   -7), S(   8,  -17), S(   4,  -15), S(  -6,    4), S( -29,   16), S( -22,   10),
        S( -27,    4), S(  -2,   -6), S(   7,  -17), S(   5,  -11), S(   5,    0), S(  15,   -6), S( -15,   -1), S( -17,  -11),
        S( -24,   12), S( -18,    1), S(  -5,    6), S(  -3,    2), S( -12,    2), S( -33,   15), S(  -2,   -2), S( -37,   21),
        S( -21,   13), S(  -7,   -6), S( -20,    1), S(   0,    2), S( -21,   16), S(  12,    9), S( -15,   11), S( -17,    4),
        S( -11,   12), S(   2,    0), S(  -7,    2), S(  18,    7), S(  -5,   20), S(   1,   10), S( -10,   24), S( -10,   16),
        S(  -9,   11), S(  16,    7), S(   8,    0), S(  11,   -7), S(  16,    0), S(   3,    7), S(   2,   12), S( -13,   11),
        S(   1,   -6), S(  -2,    4), S(   0,    7), S(   4,    1), S(   2,   -1), S(   3,    4), S(   1,    2), S(  11,    0),
        S(   5,   14), S(   4,    6), S(   5,    5), S(   7,   21), S(   4,   11), S(  10,   14), S(  -6,   25), S(  14,    9),
        S(   5,   -4), S( -14,  -21), S(  -9,  -13), S(  -3,  -49), S( -16,  -18), S( -30,    7), S( -40,  -10), S(  -7,   -7),
        S(   1,    5), S(   4,   -4), S(   9,  -18), S( -11,   -4), S(   5,    1), S(  -4,  -23), S( -26,    4), S( -20,  -11),
        S(   7,   14), S(   8,   14), S(  -7,   30), S(   4,   29), S(  -6,   46), S(  -5,   15), S(  -8,   16), S(  -3,   -5),
        S(  20,    8), S(   3,   22), S(   5,   35), S(  12,   47), S(  25,   41), S( -11,   26), S( -17,   18), S(  -2,   11),
        S(  -9,   17), S(  15,   24), S(  17,   24), S(   4,   29), S(   9,   35), S(   7,   28), S( -11,   29), S(   7,   18),
        S(   3,    4), S(  18,   17), S(  15,   28), S(  23,   41), S(  13,   34), S(   3,   21), S(  32,   31), S( -13,    9),
        S(  13,   -2), S(  23,   16), S(   9,   15), S(  11,   20), S( -11,   11), S(   5,   23), S(  -7,    6), S( -20,   -1),
        S(  -8,   -2), S(   0,    0), S(   4,    7), S(   3,   10), S(  -6,   14), S(   1,   17), S( -16,    1), S( -10,   -2),
        S(  15,   11), S(  15,   11), S(  15,   11), S(  15,   11), S(   6,  -32), S(  17,  -26), S(  54,  -29), S(  43,  -51),
        S(  15,   11), S(  15,   11), S(  15,   11), S(  15,   11), S( -28,   11), S(  -1,   -4), S(  19,   -2), S(  23,  -16),
        S(  15,   11), S(  15,   11), S(  15,   11), S(  15,   11), S( -58,   30), S( -45,   18), S( -20,   17), S(   3,   -9),
        S(  15,   11), S(  15,   11), S(  15,   11), S(  15,   11), S( -62,   37), S( -55,   28), S( -26,   23), S( -24,    4),
        S(  15,   11), S(  15,   11), S(  15,   11), S(  15,   11), S( -69,   46), S( -76,   42), S( -42,   30), S( -30,   27),
        S(  15,   11), S(  15,   11), S(  15,   11), S(  15,   11), S( -75,   51), S( -72,   50), S( -30,   38), S( -40,   10),
        S(  15,   11), S(  15,   11), S(  15,   11), S(  15,   11), S( -75,   27), S( -67,   45), S( -31,   15), S( -39,   -4),
        S(  15,   11), S(  15,   11), S(  15,   11), S(  15,   11), S( -77,   11), S( -73,   -1), S( -40,  -19), S( -50,  -39),
    ],
    // By the number of safe squares.
    knight_mobility: [
        S( -20,  -35), S( -16,  -44), S(  -9,   -9), S(  -4,   -4), S(  -2,    4), S(   2,    7), S(   5,    9), S(  12,    9),
        S(  14,    4),
    ],
    // By the number of safe squares.
    bishop_mobility: [
        S( -24,  -42), S( -20,  -37), S(  -6,  -19), S(  -5,   -9), S(  -1,    5), S(   5,    9), S(   6,   12),
        S(   7,   13), S(   7,   19), S(  10,   16), S(  11,   15), S(   7,   11), S(  24,   -2), S(  18,    4),
    ],
    // By the number of safe squares.
    rook_mobility: [
        S( -37,  -90), S( -20,  -54), S(  -9,  -38), S(  -5,  -26), S(  -1,  -17), S(  -2,   -3), S(  -3,    2), S(  -2,    6),
        S(   2,   14), S(   2,   19), S(   9,   18), S(   8,   26), S(   8,   28), S(   9,   31), S(  20,   27),
    ],
    // By the number of safe squares.
    queen_mobility: [
        S( -38,  -46), S( -32,  -37), S( -19,  -41), S( -15,  -41), S(  -8,  -33), S(  -4,  -21), S(  -1,   -9),
        S(   0,    1), S(   1,   13), S(   4,   11), S(   2,   19), S(   4,   20), S(   4,   21), S(  11,   18),
        S(  12,   21), S(  13,   18), S(  13,   19), S(  24,   21), S(  15,   18), S(  12,   15), S(  11,   21),
        S(  11,   20), S(  13,   23), S(   9,   23), S(  12,   24), S(  13,   24), S(  15,   29), S(  18,   32),
    ],
    // Behind an enemy pawn on the file; on a file that is half open for the enemy.
    isolated: [S(-4, -9), S(-9, -17)],
    // Directly behind an own pawn; farther behind one.
    doubled: [S(-1, -32), S(-4, -11)],
    // Behind an enemy pawn on the file; on a file that is half open for the enemy.
    backward: [S(4, -13), S(-11, -11)],
    // Protected by a pawn, by rank from the second.
    supported: [S(0, 0), S(14, 17), S(13, 4), S(15, 22), S(32, 52), S(76, 73)],
    // Beside another pawn, by rank from the second.
    phalanx: [S(5, 2), S(7, 5), S(7, 8), S(15, 32), S(62, 60), S(62, 90)],
    // Could become passed with the help of its neighbours, by rank from the second.
    candidate: [S(-3, 4), S(-1, 7), S(0, 27), S(1, 27), S(14, 62), S(0, 0)],
    // Passed, by rank from the second.
    passed: [S(-2, 11), S(-2, 20), S(-4, 44), S(19, 76), S(29, 112), S(119, 147)],
    // By the distance of the own king to the square ahead, times the ranks beyond the third.
    passed_own_king: [S(-4, 43), S(10, 33), S(7, 13), S(-1, 4), S(-5, -5), S(-4, -9), S(-5, -7), S(-15, -4)],
    // By the distance of the enemy king to the square ahead, times the ranks beyond the third.
    passed_enemy_king: [S(-5, -13), S(2, -18), S(5, -13), S(0, 7), S(-5, 23), S(-7, 33), S(-9, 37), S(-7, 37)],
    // An enemy piece stands in front, by rank.
    passed_blocked: [S(-16, 2), S(2, 1), S(4, -14), S(-1, -16), S(-2, -31), S(-41, -69)],
    // No piece on the way and no enemy attack on it, by rank.
    passed_free: [S(-29, 17), S(-29, 27), S(-40, 35), S(-11, 45), S(37, 85), S(48, 149)],
    // The next square is empty and not attacked, by rank.
    passed_safe_step: [S(2, 6), S(-9, 3), S(-1, 3), S(11, 7), S(21, 30), S(38, 75)],
    // The next square is empty and protected, by rank.
    passed_supported_step: [S(-3, 8), S(0, 19), S(11, 14), S(-4, 25), S(11, 40), S(53, 96)],
    // The enemy has only its king, and that comes too late.
    unstoppable: [S(-1, 374)],
    // On squares no enemy pawn can attack: alone; protected by a pawn.
    knight_outpost: [S(12, 0), S(23, 7)],
    // On squares no enemy pawn can attack: alone; protected by a pawn.
    bishop_outpost: [S(8, -2), S(25, 19)],
    // A knight that can go to a protected outpost.
    outpost_in_reach: [S(17, 14)],
    // A pawn right in front of a knight or bishop.
    minor_behind_pawn: [S(3, 5)],
    // By knight and bishop, times the distance from the own king.
    minor_far_from_king: [S(-5, -3), S(-5, -1)],
    // Own pawns on the bishop's colour: all; those that cannot move.
    bad_bishop: [S(-5, -2), S(-3, -15)],
    // Sees both centre squares of its long diagonal past everything but pawns.
    long_diagonal: [S(12, 16)],
    // On a file without own pawns; without any.
    rook_file: [S(18, -3), S(25, 7)],
    // With the enemy king on the last rank or enemy pawns on the seventh: rook; queen.
    seventh: [S(11, 18), S(5, 49)],
    // Behind an own passed pawn; behind an enemy one.
    rook_behind_passer: [S(6, 30), S(10, 31)],
    // An enemy bishop or rook looks at the queen through one piece.
    queen_xrayed: [S(-20, -6)],
    // A rook shut in by its own king.
    trapped_rook: [S(-39, -4)],
    // Caught on the seventh rank, on the sixth; shut in at home.
    trapped_bishop: [S(-96, -88), S(-35, -26), S(-24, -15)],
    // On the rim of the enemy's half without a safe square.
    trapped_knight: [S(-14, -47)],
    // By how far the file is from the rim (4), then the rank of the own rearmost pawn, 0 for none (7).
    shelter: [
        S( -21,   11), S(  19,  -34), S(  21,  -20), S(   9,  -15), S(   4,   -3), S( -14,   14), S(  -8,   20),
        S(   3,   13), S(  35,  -14), S(  23,  -13), S(   5,  -10), S( -10,    6), S(  -7,   20), S( -16,   12),
        S( -11,   14), S(  24,    3), S(   9,  -15), S(  -9,   -6), S( -14,  -13), S(   0,    2), S(   0,   14),
        S( -10,   10), S(   9,    1), S(   1,    6), S(  -4,    3), S(   1,   -5), S( -12,  -11), S( -20,    9),
    ],
    // By how far the file is from the rim (4), then the rank of the enemy's foremost pawn, seen from the king, 0 for none (7).
    storm: [
        S(  -7,  -16), S( -13,   36), S( -40,   19), S( -22,   -4), S( -14,   -8), S(   4,  -16), S(  -2,   -9),
        S( -15,   -1), S(  -5,   23), S( -45,   24), S( -33,   10), S( -12,    0), S(   1,   -9), S( -11,    3),
        S(  -6,   -4), S( -13,    2), S( -36,    7), S( -15,    5), S(  -4,  -13), S(  -7,   -2), S(  -8,    4),
        S(  -3,   -4), S(   9,   28), S(   9,    4), S(  -3,   -4), S(  -7,  -12), S(   2,   -4), S(  -4,  -13),
    ],
    // An enemy pawn that the own cover holds up, by rank.
    storm_blocked: [S(0, 0), S(0, 0), S(-16, -33), S(4, -24), S(2, -25), S(6, -26), S(3, -15)],
    // The king's file without own pawns; without enemy pawns; without any.
    king_file: [S(-12, 11), S(-9, 4), S(-34, 5)],
    // No pawn at all on the king's wing.
    pawnless_wing: [S(-6, -50)],
    // Times the distance to the nearest pawn.
    king_from_pawns: [S(3, -15)],
    // A safe pawn attacks knight, bishop, rook, queen.
    threat_by_pawn: [S(63, 49), S(64, 49), S(74, 40), S(54, 22)],
    // A knight or bishop attacks pawn, knight, bishop, rook, queen that is weak or worth more.
    threat_by_minor: [S(4, 19), S(14, 32), S(17, 26), S(53, 34), S(43, 44)],
    // A rook attacks pawn, knight, bishop, rook, queen that is weak or worth more.
    threat_by_rook: [S(4, 23), S(19, 26), S(23, 30), S(0, 12), S(34, 18)],
    // The king attacks something weak.
    threat_by_king: [S(13, 21)],
    // Attacked and not defended enough: pawn; piece.
    hanging: [S(11, 33), S(13, 26)],
    // A pawn can safely step up to attack a piece.
    threat_by_push: [S(14, 20)],
    // A safe square from which a knight, a bishop or rook would attack the queen.
    threat_on_queen: [S(13, -4), S(15, 0)],
    // Squares the enemy attacks but cannot safely use.
    restricted: [S(3, 1)],
    // Safe squares behind and among the own centre pawns, times pieces, over four.
    space: [S(1, 1)],
    // To the side that has the move.
    tempo: [S(24, 17)],
    // Enemy knight, bishop, rook, queen that bears on the ring around the king.
    ring_attacker: [S(72, 42), S(60, 40), S(83, -17), S(29, 36)],
    // Each attack on a square next to the king.
    ring_attack: [S(28, 8)],
    // Squares around the king that only king or queen defends.
    weak_ring: [S(69, -30)],
    // Safe checks by knight, bishop, rook, queen: one each, then several.
    safe_check: [S(431, 112), S(237, 121), S(420, 170), S(313, 124), S(643, 126), S(453, 111), S(777, 166), S(492, 160)],
    // Squares of checks that cost the checking piece.
    unsafe_check: [S(83, 1)],
    // Own pieces that shield the king and cannot leave.
    pinned_piece: [S(3, -6)],
    // Files next to the king without an own pawn.
    open_file_near_king: [S(-6, 36)],
    // Squares on the king's wing that the enemy attacks; twice.
    wing_attack: [S(22, 9), S(1, 42)],
    // Squares on the king's wing that the own side defends.
    wing_defence: [S(-24, 13)],
    // A knight next to the king.
    knight_defender: [S(-64, -1)],
    // The enemy has no queen.
    no_queen: [S(-489, -114)],
    // Always there, to set the level at which danger begins.
    danger_base: [S(101, 25)],
    // Always; passed pawns; pawns; pawns on both wings; a king beyond the middle; kings apart by file; only pawns left; hardly winnable.
    initiative: [S(0, -56), S(0, 4), S(0, 2), S(0, 39), S(0, -8), S(0, 1), S(0, 85), S(0, -21)],
};
