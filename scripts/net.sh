#!/bin/sh
# Makes a network from nothing: games against itself, training, more games with the network, training again; then fewer
# but better games, whose results teach what scores do not say; and a match against the handcrafted evaluation. Every
# step resumes where it was interrupted.
#
# QUICK=1 goes the whole way in minutes, with a network that is no good.
set -eu
cd "$(dirname "$0")/.."

GARDEZ=${GARDEZ:-$PWD/${CARGO_TARGET_DIR:-target}/release/gardez}
DIR=${DIR:-net}
THREADS=${THREADS:-$(nproc 2>/dev/null || echo 2)}
# Units for an output of 1: docs/experiments/network.md says why more than the games would ask for.
SCALE=${SCALE:-280}
# The same for better games: the one under which scores best predict their results.
RESULT_SCALE=${RESULT_SCALE:-180}
if [ "${QUICK:-0}" = 1 ]; then
    GENERATIONS=${GENERATIONS:-2} GAMES=${GAMES:-300} NODES=${NODES:-200} EPOCHS=${EPOCHS:-4} BATCH=${BATCH:-512}
    BETTER_GAMES=${BETTER_GAMES:-100} BETTER_NODES=${BETTER_NODES:-400}
    MATCH_GAMES=${MATCH_GAMES:-20} MATCH_NODES=${MATCH_NODES:-500}
else
    GENERATIONS=${GENERATIONS:-2} GAMES=${GAMES:-500000} NODES=${NODES:-100} EPOCHS=${EPOCHS:-6} BATCH=${BATCH:-2048}
    BETTER_GAMES=${BETTER_GAMES:-200000} BETTER_NODES=${BETTER_NODES:-400}
    MATCH_GAMES=${MATCH_GAMES:-1000} MATCH_NODES=${MATCH_NODES:-10000}
fi
mkdir -p "$DIR"

step() {
    printf '\n== %s\n' "$1"
}

# What judges the positions of the generation to come.
evaluation="--option Evaluation=handcrafted"
generation=0
data=""
while [ "$generation" -lt "$GENERATIONS" ]; do
    games="$DIR/games$generation.gdz"
    network="$DIR/generation$generation.gzn"
    step "generation $generation: $GAMES games at $NODES nodes"
    # shellcheck disable=SC2086
    "$GARDEZ" datagen --games "$GAMES" --nodes "$NODES" --seed "$((generation + 1))" \
        --hash 1 --threads "$THREADS" --out "$games" $evaluation
    data="$data $games"
    if [ ! -e "$network" ]; then
        step "generation $generation: training"
        # shellcheck disable=SC2086
        nice -n 5 "$GARDEZ" train --data $data --out "$network" --epochs "$EPOCHS" --batch "$BATCH" \
            --scale "$SCALE" --correction --lambda "${LAMBDA:-0.6}" --result-share "${RESULT_SHARE:-0.1}" \
            --threads "$THREADS" --seed "$((generation + 1))"
    fi
    "$GARDEZ" net check "$network"
    evaluation="--option EvalFile=$network --option Evaluation=network"
    generation=$((generation + 1))
done

games="$DIR/better.gdz"
finished="$DIR/finished.gzn"
step "better games: $BETTER_GAMES at $BETTER_NODES nodes"
# shellcheck disable=SC2086
"$GARDEZ" datagen --games "$BETTER_GAMES" --nodes "$BETTER_NODES" --seed "$((generation + 1))" \
    --hash 1 --threads "$THREADS" --out "$games" $evaluation
if [ ! -e "$finished" ]; then
    step "training on them"
    nice -n 5 "$GARDEZ" train --data "$games" --from "$network" --out "$finished" --epochs 2 --rate 1e-4 --batch "$BATCH" \
        --scale "$RESULT_SCALE" --correction --result-share 0.4 --threads "$THREADS"
fi
"$GARDEZ" net check "$finished"
network=$finished

# Positions of the last generation as openings would be known to the network; those of Chess960 are not.
step "match: the network against the handcrafted evaluation"
resume=--overwrite
[ ! -e "$DIR/match.pgn.state" ] || resume=--resume
"$GARDEZ" match "gardez:@name=network,EvalFile=$network,Evaluation=network" \
    "gardez:@name=handcrafted,Evaluation=handcrafted" --games "$MATCH_GAMES" --nodes "$MATCH_NODES" \
    --openings "${OPENINGS:-dfrc}" --concurrency "$THREADS" --pgn "$DIR/match.pgn" "$resume"
printf '\nBuild it in: cp %s crates/nnue/networks/default.gzn\n' "$network"
