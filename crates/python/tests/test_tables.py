"""Tables of moves, and the libraries that read them."""

import os
import subprocess

import duckdb
import gardez
import gardez.dask
import pyarrow.parquet

HASH = {"Hash": 1}


def test_a_row_for_each_move(games):
    table = gardez.analyse(games, nodes=500, workers=2, options=HASH)
    assert table.num_rows == 7 + 2 + 8
    assert table.schema.names[:2] == ["game", "ply"]
    rows = table.to_pylist()
    assert rows[0] == {**rows[0], "game": 1, "ply": 1, "white": "Amateur", "white_elo": 1500, "black_elo": None,
                       "date": "2026.11.18", "side": "white", "move": "e2e4", "san": "e4", "clock": 300.0}
    blunder = rows[5]
    assert (blunder["judgement"], blunder["error"]) == ("blunder", "allowedMate")
    assert isinstance(blunder["motifs"], list) and blunder["best_move"] != "g8f6" and blunder["loss"] > 15
    assert rows[6]["mate"] == 0 and rows[6]["score"] is None
    assert table.equals(gardez.analyse(list(gardez.pgn.open(games)), nodes=500, workers=1, options=HASH))
    plain = gardez.to_table(games)
    assert plain.schema == table.schema and plain["fen"].equals(table["fen"])
    assert plain["score"].to_pylist()[2] == 20 and plain["judgement"].null_count == plain.num_rows


def test_duckdb_reads_what_the_program_writes(games, tmp_path):
    out = tmp_path / "moves"
    args = ["analyse", str(games), "--parquet", str(out), "--nodes", "500", "--hash", "1", "--part-bytes", "300"]
    subprocess.run([os.environ["GARDEZ_BIN"], *args], check=True, capture_output=True)
    query = f"select game, count(*), count(judgement) from '{out}/*.parquet' group by game order by game"
    counted = duckdb.sql(query).fetchall()
    assert [(game, moves) for game, moves, _ in counted] == [(1, 7), (2, 2), (3, 8)]
    motifs = duckdb.sql(f"select distinct unnest(motifs) from '{out}/*.parquet'").fetchall()
    assert all(isinstance(motif, str) for (motif,) in motifs)
    # The same rows as in this process.
    table = gardez.analyse(games, nodes=500, options=HASH)
    assert table.equals(pyarrow.parquet.read_table(out))


def test_duckdb_reads_converted_games(games, tmp_path):
    out = tmp_path / "games.parquet"
    args = [os.environ["GARDEZ_BIN"], "pgn", "convert", str(games), "--to", "parquet", "-o", str(out)]
    subprocess.run(args, check=True, capture_output=True)
    assert duckdb.sql(f"select count(*), max(score) from '{out}'").fetchall() == [(17, 20)]
    assert gardez.to_table(games).equals(pyarrow.parquet.read_table(out))
