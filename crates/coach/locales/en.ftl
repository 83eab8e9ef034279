# What the coach says, in English. One message for each kind of claim; another language is another file.
# $side and $other are "White" and "Black" (the messages side-white, side-black); lines are in algebraic notation, $line with
# its first move, which is $move, and $rest without it.

side-white = White
side-black = Black

piece-pawn = pawn
piece-knight = knight
piece-bishop = bishop
piece-rook = rook
piece-queen = queen
piece-king = king

# A piece on its square, and lists.
piece-on = the { $piece } on { $square }
list-two = { $first } and { $last }
list-more = { $first }, { $last }

# Pieces as won or lost goods.
goods-pawn = { $count ->
    [one] a pawn
   *[other] { $count } pawns
}
goods-knight = { $count ->
    [one] a knight
   *[other] { $count } knights
}
goods-bishop = { $count ->
    [one] a bishop
   *[other] { $count } bishops
}
goods-rook = { $count ->
    [one] a rook
   *[other] { $count } rooks
}
goods-queen = { $count ->
    [one] a queen
   *[other] { $count } queens
}
goods-exchange = the exchange

# Pieces that pawns became.
new-knight = { $count ->
    [one] a new knight
   *[other] { $count } new knights
}
new-bishop = { $count ->
    [one] a new bishop
   *[other] { $count } new bishops
}
new-rook = { $count ->
    [one] a new rook
   *[other] { $count } new rooks
}
new-queen = { $count ->
    [one] a new queen
   *[other] { $count } new queens
}

deal-plain = { $gained }
deal-for = { $gained } for { $lost }

nothing = There is nothing to say.

# The game is over.
ended-checkmate = { $side } is checkmated: { $other } has won.
ended-stalemate = { $side } has no legal move and is not in check: stalemate, the game is drawn.
ended-deadPosition = Neither side has enough left to mate: the game is drawn.

# A move, judged; the reasons follow.
judged-good = { $move } is a good move.
judged-inaccuracy = { $move } is an inaccuracy.
judged-mistake = { $move } is a mistake.
judged-blunder = { $move } is a blunder.

# How the position stands.
verdict-equal = The position is about equal ({ $score }).
verdict-slight = { $side } is slightly better ({ $score }).
verdict-clear = { $side } is clearly better ({ $score }).
verdict-winning = { $side } is winning ({ $score }).

# Mate.
position-mate = { $moves ->
    [one] { $side } mates at once with { $move }.
   *[other] { $side } mates in { $moves }: { $line }.
}
position-mate-suffered = { $moves ->
    [one] { $side } mates on the next move: { $line }.
   *[other] { $side } mates in { $moves }: { $line }.
}
played-mate = { $moves ->
    [0] It is checkmate.
    [one] It forces mate on the next move: { $line }.
   *[other] It forces mate in { $moves }: { $line }.
}
allowed-mate = { $moves ->
    [one] This allows mate at once: { $move }.
   *[other] This allows mate in { $moves }: { $line }.
}
missed-mate = { $moves ->
    [one] { $move } would have been mate.
   *[other] There was a mate in { $moves }: { $line }.
}
threat-mate = { $moves ->
    [one] { $side } threatens mate with { $move }.
   *[other] { $side } threatens mate in { $moves }: { $line }.
}
prevented-mate = { $moves ->
    [one] It stops the mate { $move }.
   *[other] It stops { $side }'s mate in { $moves }: { $line }.
}

# Material.
position-material = { $side } wins { $deal }: { $line }.
played-material = It wins { $deal }: { $line }.
allowed-material = This loses { $deal }: { $line }.
missed-material = { $move } would have won { $deal }: { $rest }.
threat-material = { $side } threatens to win { $deal }: { $line }.
prevented-material = It stops { $side } from winning { $deal } by { $line }.

position-material-at-once = { $side } wins { $deal } with { $move }.
played-material-at-once = It wins { $deal }.
allowed-material-at-once = This loses { $deal } to { $move }.
missed-material-at-once = { $move } would have won { $deal }.
threat-material-at-once = { $side } threatens to win { $deal } with { $move }.
prevented-material-at-once = It stops { $side } from winning { $deal } with { $move }.

# The same with a promotion among it: $deal is "a new queen", "a new queen for a rook".
position-promotion = { $side } gets { $deal }: { $line }.
played-promotion = It brings { $deal }: { $line }.
allowed-promotion = This lets { $side } get { $deal }: { $line }.
missed-promotion = { $move } would have brought { $deal }: { $rest }.
threat-promotion = { $side } threatens to get { $deal }: { $line }.
prevented-promotion = It stops { $side } from getting { $deal } by { $line }.

position-promotion-at-once = { $side } gets { $deal } with { $move }.
played-promotion-at-once = It brings { $deal }.
allowed-promotion-at-once = This lets { $side } get { $deal } with { $move }.
missed-promotion-at-once = { $move } would have brought { $deal }.
threat-promotion-at-once = { $side } threatens to get { $deal } with { $move }.
prevented-promotion-at-once = It stops { $side } from getting { $deal } with { $move }.

# Motifs: what does the work. $move is the move that does it.
motif-fork = { $move } forks { $targets }.
motif-pin = The { $target-piece } on { $target-square } is pinned to its king by the { $by-piece } on { $by-square }.
motif-relativePin = The { $second-piece } on { $second-square } is pinned: if it moves, the { $by-piece } on { $by-square } can take { $target }.
motif-skewer = { $move } is a skewer: when the { $target-piece } moves away, { $second } falls.
motif-discoveredAttack = { $move } uncovers the { $by-piece } on { $by-square }, which attacks { $targets }.
motif-discoveredCheck = { $move } is a discovered check by the { $by-piece } on { $by-square }.
motif-doubleCheck = { $move } is a double check: only the king can move.
motif-hangingPiece = { $occasion ->
    [position] The { $target-piece } on { $target-square } is not defended.
    [threat] The { $target-piece } on { $target-square } is not defended.
   *[other] The { $target-piece } on { $target-square } was not defended.
}
motif-outnumbered = { $occasion ->
    [position] The { $target-piece } on { $target-square } is attacked more often than it is defended.
    [threat] The { $target-piece } on { $target-square } is attacked more often than it is defended.
   *[other] The { $target-piece } on { $target-square } was attacked more often than it was defended.
}
motif-overload = The { $target-piece } on { $target-square } is overloaded: once it takes back after { $move }, it no longer guards { $second }.
motif-trappedPiece = The { $target-piece } on { $target-square } is trapped: it has no safe square.
motif-sacrifice = { $move } gives up material for the attack.
motif-capturingDefender = { $move } removes the piece that defended { $targets }.
motif-deflection = { $has-second ->
    [yes] { $move } draws the { $target-piece } away from { $second }, which it had to guard.
   *[no] { $move } draws the { $target-piece } away from a square that it had to guard.
}
motif-attraction = { $move } draws the { $target-piece } to { $target-square }, where the next move hits it.
motif-interference = { $move } cuts off the defence of { $targets }.
motif-clearance = { $move } clears the way for { $target }.
motif-intermezzo = { $move } is an in-between move before taking back.
motif-xRayAttack = { $move } is an x-ray: the { $by-piece } worked through the enemy piece in its line.
motif-promotion = The pawn promotes: { $move }.
motif-underPromotion = The pawn promotes to a { $by-piece }: { $move }.
motif-enPassant = { $move } takes en passant.
motif-quietMove = { $move } is a quiet move, neither check nor capture, and it decides.
motif-backRankMate = It is a back-rank mate: the king's own men leave it no way out.
motif-smotheredMate = It is a smothered mate: the king's own pieces leave it no square.
motif-anastasiaMate = The pattern is Anastasia's mate.
motif-arabianMate = The pattern is the Arabian mate: rook and knight in the corner.
motif-bodenMate = The pattern is Boden's mate: two bishops on crossing diagonals.
motif-doubleBishopMate = Two bishops mate on diagonals side by side.
motif-hookMate = The pattern is the hook mate: rook, knight and pawn.
motif-dovetailMate = The pattern is the dovetail mate: the queen covers every square that the king's own men leave it.
motif-swallowstailMate = The pattern is the swallow's tail mate: the king's own men block its ways back.
motif-epauletteMate = The pattern is the epaulette mate: the king stands between two men of its own.

# Lasting features. $squares lists the squares.
feature-isolatedPawn = { $count ->
    [one] { $side } { $has } an isolated pawn on { $squares }.
   *[other] { $side } { $has } isolated pawns on { $squares }.
}
feature-doubledPawns = { $side } { $has } doubled pawns on { $squares }.
feature-backwardPawn = { $count ->
    [one] { $side } { $has } a backward pawn on { $squares }.
   *[other] { $side } { $has } backward pawns on { $squares }.
}
feature-passedPawn = { $count ->
    [one] { $side } { $has } a passed pawn on { $squares }.
   *[other] { $side } { $has } passed pawns on { $squares }.
}
feature-protectedPassedPawn = { $count ->
    [one] { $side } { $has } a protected passed pawn on { $squares }.
   *[other] { $side } { $has } protected passed pawns on { $squares }.
}
feature-knightOutpost = { $count ->
    [one] { $side } { $has } a knight on the outpost { $squares }, where no pawn can drive it away.
   *[other] { $side } { $has } knights on the outposts { $squares }, where no pawn can drive them away.
}
feature-bishopOutpost = { $count ->
    [one] { $side } { $has } a bishop on the outpost { $squares }, where no pawn can drive it away.
   *[other] { $side } { $has } bishops on the outposts { $squares }, where no pawn can drive them away.
}
feature-rookOnOpenFile = { $count ->
    [one] { $side } { $has } a rook on the open { $files }.
   *[other] { $side } { $has } rooks on the open { $files }.
}
feature-rookOnHalfOpenFile = { $count ->
    [one] { $side } { $has } a rook on the half-open { $files }.
   *[other] { $side } { $has } rooks on the half-open { $files }.
}
feature-rookOnSeventh = { $count ->
    [one] { $side } { $has } a rook on the seventh rank, on { $squares }.
   *[other] { $side } { $has } rooks on the seventh rank, on { $squares }.
}
feature-bishopPair = { $side } { $has } the bishop pair.
feature-badBishop = { $side } { $has } a bad bishop on { $squares }: its own pawns stand in its way.
feature-safeKing = { $when ->
    [now] { $side }'s king is safe behind its pawns.
   *[then] { $side }'s king gets safe behind its pawns.
}
feature-bareKing = { $when ->
    [now] { $side }'s king has no pawn cover.
   *[then] { $side }'s king loses its pawn cover.
}
feature-kingInTheMiddle = { $when ->
    [now] { $side }'s king is caught in the middle.
   *[then] { $side }'s king gets caught in the middle.
}
feature-rookBehindPassedPawn = { $side } { $has } a rook behind the passed pawn, where it belongs.
feature-unstoppablePawn = { $count ->
    [one] { $side } { $has } a passed pawn on { $squares } that the enemy king cannot catch.
   *[other] { $side } { $has } passed pawns on { $squares } that the enemy king cannot catch.
}
feature-pawnChain = { $side } { $has } a pawn chain on { $squares }.
feature-goodBishop = { $side } { $has } a good bishop on { $squares }: its own fixed pawns stand on the other colour.
feature-kingAttack = { $side } { $has } an attack on the enemy king: { $count } pieces aim at the squares around it.
feature-space = { $side } { $has } more space in the centre.
feature-development = { $side } { $has } a lead in development.

has-now = has
has-then = gets

# Other things to say of a move.
only-move = { $move } is the only good move.
only-defence = { $move } is the only good defence.
best = No other move is better.
gains-tempo = It gains time by attacking { $man }, which has to move.
sacrifice-sound = It gives up { $man }, and the sacrifice is sound: { $line }.
sacrifice-unsound = Giving up { $man } does not pay: { $line }.
zugzwang-now = { $side } is in zugzwang: it would be better off without having to move.
zugzwang-then = It puts { $side } in zugzwang: any move makes its position worse.
slips = With the best move { $from }; after this one { $to }.

# What gets worse in a line, compared with the best one.
trend-activity = { $side }'s pieces are less active after { $line }.
trend-kingSafety = { $side }'s king is less safe after { $line }.
trend-pawnStructure = { $side }'s pawns are weaker after { $line }.
trend-passedPawns = { $other }'s passed pawns get farther after { $line }.

# Two moves compared.
preferred = { $move } is better than { $other-move }.
alike = { $move } and { $other-move } are about equally good.

# What the opening table says.
theory-usual = It is the usual move here.
theory-known = It is a known move; the usual one is { $move }.
theory-known-with-merit = It is a known move; the usual one is { $move }, which { $merit }.
theory-other = The usual move here is { $move }.
theory-other-with-merit = The usual move here is { $move }, which { $merit }.
merit-develops = develops the { $piece }
merit-castles = brings the king to safety
merit-centre = takes a square in the centre
merit-attacksCentre = attacks the enemy's centre
recapture = It recaptures on { $square }.
develops = It develops the { $piece }.
castles = It brings the king to safety.
opening = The opening is the { $name } ({ $eco }).
best-line = Better was { $line }.
best-move = Better was { $move }.
after-line = After { $move } { $standing }.
standing-equal = the game is level
standing-slight = { $side } is slightly better
standing-clear = { $side } is clearly better
standing-winning = { $side } is winning

draw-perpetualCheck = { $side } saves the game by perpetual check: { $line }.
draw-stalemate = { $side } saves the game by stalemate: { $line }.
draw-deadPosition = { $side } reaches a draw, because nothing is left to mate with: { $line }.
draw-fortress = { $side } has less material but holds: { $other } finds no way through.
missed-draw-perpetualCheck = { $move } would have saved the game by perpetual check: { $rest }.
missed-draw-stalemate = { $line } would have saved the game by stalemate.
missed-draw-deadPosition = { $line } would have held the draw.

# Endings that theory knows.
ending-pawnWins = { $side }'s pawn promotes: { $other }'s king cannot stop it.
ending-pawnDraws = The game is drawn: { $other }'s king holds the pawn.
ending-keySquare = { $side }'s king stands on a key square, from which the pawn always gets through.
ending-opposition = { $side } has the opposition.
ending-race = Both sides have a pawn that runs, and { $side }'s promotes first.
ending-noForcedMate = The game is drawn: neither side can force mate with what is left.
ending-tableWin = The tables of endings say that { $side } wins.
ending-tableDraw = The game is drawn, by the tables of endings.
ending-mateKnown = { $side } has enough to mate the bare king.
ending-bishopAndKnight = { $side } mates with bishop and knight, by driving the king to a corner of the bishop's colour.
ending-wrongBishop = The game is drawn: { $side } has the wrong bishop, which does not control the corner where the pawn promotes, and { $other }'s king holds that corner.
ending-oppositeBishops = The bishops are of opposite colours: even an extra pawn is hard to win with.
ending-oppositeBishopsAttack = The bishops are of opposite colours, which helps the side that attacks.

# Hints, in three steps: what to look at, the idea, the move.
hint-look = Look at { $man }.
hint-answer = The move is { $move }.
idea-mate = { $moves ->
    [one] There is a mate in one.
   *[other] There is a mate in { $moves }.
}
idea-material = Material can be won.
idea-defence = There is a threat to meet.
idea-improve = A piece can find a better place.
idea-castles = The king can find a safer place.
idea-develops = A piece can be developed.
idea-pawnMove = A pawn move improves the position.
idea-fork = Two pieces can be attacked at once.
idea-pin = A piece is pinned.
idea-skewer = Two pieces stand in one line.
idea-discoveredAttack = A move can uncover an attack.
idea-discoveredCheck = A move can uncover a check.
idea-doubleCheck = A double check is possible.
idea-hangingPiece = A piece is not defended.
idea-trappedPiece = A piece has no way out.
idea-sacrifice = Giving up material pays here.
idea-capturingDefender = A defender can be taken.
idea-deflection = A defender can be drawn away.
idea-attraction = A piece can be drawn to a bad square.
idea-interference = Two pieces can be cut off from each other.
idea-clearance = A piece stands in the way of another.
idea-intermezzo = There is something better than taking back at once.
idea-relativePin = A piece is pinned.
idea-outnumbered = Something is attacked more often than it is defended.
idea-overload = A defender has too much to do.
idea-xRayAttack = A piece looks through another one.
idea-quietMove = A quiet move is the strongest.
idea-promotion = A pawn can promote.
idea-underPromotion = A pawn can promote, but not to a queen.
idea-backRankMate = The king has no way off its back rank.
idea-smotheredMate = The king is shut in by its own pieces.

# What a game taught.
lesson-turn = The game turned with { $move }.
lesson-allowedMate = { $count ->
    [one] { $side } once overlooked a mate.
   *[other] { $side } overlooked mates { $count } times.
}
lesson-missedMate = { $count ->
    [one] { $side } once had a mate and did not see it.
   *[other] { $side } missed a mate { $count } times.
}
lesson-lostMaterial = { $count ->
    [one] { $side } once lost material to a reply that was there to see.
   *[other] { $side } lost material { $count } times to replies that were there to see.
}
lesson-missedMaterial = { $count ->
    [one] { $side } once could have won material.
   *[other] { $side } could have won material { $count } times and did not.
}
lesson-missedDraw = { $count ->
    [one] { $side } once had a draw in hand.
   *[other] { $side } had a draw in hand { $count } times.
}
lesson-positional = { $count ->
    [one] { $side } once let the position get worse without losing anything at once.
   *[other] { $side } let the position get worse { $count } times without losing anything at once.
}
lesson-train = { $side } should train { $topic }.
topic-mates = mating patterns
topic-counting = asking before each move what the opponent can take
topic-structure = pawn structure and good squares
topic-defence = saving half a point from bad positions
topic-fork = forks
topic-pin = pins
topic-skewer = skewers
topic-discoveredAttack = discovered attacks
topic-discoveredCheck = discovered checks
topic-doubleCheck = double checks
topic-hangingPiece = seeing undefended pieces
topic-trappedPiece = trapped pieces
topic-sacrifice = sacrifices
topic-capturingDefender = taking the defender
topic-deflection = deflections
topic-attraction = luring pieces to bad squares
topic-interference = interference
topic-clearance = clearing lines
topic-intermezzo = in-between moves
topic-promotion = passed pawns
topic-underPromotion = promotions
topic-xRayAttack = x-ray attacks
topic-quietMove = quiet moves
topic-backRankMate = back-rank mates
topic-smotheredMate = smothered mates
topic-anastasiaMate = mating patterns
topic-arabianMate = mating patterns
topic-bodenMate = mating patterns
topic-doubleBishopMate = mating patterns
topic-hookMate = mating patterns
topic-dovetailMate = mating patterns
topic-swallowstailMate = mating patterns
topic-epauletteMate = mating patterns
topic-relativePin = pins
topic-outnumbered = counting attackers and defenders
topic-overload = overloaded defenders
