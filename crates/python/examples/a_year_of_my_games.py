"""What a year of one's games says: python a_year_of_my_games.py games.pgn NAME [NODES]"""

import sys

import duckdb
import gardez

path, name, nodes = sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 20_000
mine = [game for game in gardez.pgn.open(path) if name in (game.headers.get("White"), game.headers.get("Black"))]
moves = gardez.analyse(mine, nodes=nodes)
own = duckdb.sql("from moves where (case side when 'white' then white else black end) = $name", params={"name": name})

print(duckdb.sql("""select count(distinct game) games, count(*) moves, round(avg(accuracy), 1) accuracy,
    count_if(judgement = 'blunder') blunders from own"""))
print(duckdb.sql("""select opening, count(distinct game) games, round(avg(centipawn_loss)) loss from own
    where ply <= 30 group by opening order by loss desc limit 5"""))
print(duckdb.sql("""select motif, count(*) errors from (select unnest(motifs) motif from own)
    group by motif order by errors desc limit 5"""))
print(duckdb.sql("""select case when clock < 30 then 'under 30 s' else 'more time' end as clock,
    round(avg(loss), 1) loss from own where clock is not null group by 1"""))
