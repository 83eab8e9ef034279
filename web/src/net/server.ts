// The backend that the page comes from: HTTP for requests with one answer, a WebSocket for everything live.

import {
  API,
  type ExercisesAnswer,
  type ExerciseVerdict,
  type Explanation,
  type GameState,
  type GamesAnswer,
  type Guest,
  type ImportAnswer,
  type Info,
  type LinkAnswer,
  type OptionsAnswer,
  type PgnReadAnswer,
  type PositionAnswer,
  type Review,
} from "../api";
import {
  type AnalysisEngine,
  type Backend,
  type Exercises,
  type Games,
  type Positions,
  Refusal,
  type Reviews,
  type Session,
} from "./backend";
import { type Body, type Connection, connect } from "./connection";
import { ask, query, send } from "./http";

export function connectServer(): Backend {
  const connection = connect(`${API}/ws`);
  return {
    session: session(connection),
    games: games(connection),
    positions,
    analysis: analysis(connection),
    reviews: reviews(connection),
    exercises,
  };
}

const path = (id: string): string => `/games/${encodeURIComponent(id)}`;

const session = (connection: Connection): Session => ({
  info: () => ask<Info>("GET", "/info"),
  options: async () => (await ask<OptionsAnswer>("GET", "/options")).options,
  login: async (password) => void (await send("POST", "/login", { password })),
  start: () => connection.start(),
  onStatus: (listener) => connection.onStatus(listener),
});

function games(connection: Connection): Games {
  const command = async (body: Body): Promise<void> => void (await connection.request(body));
  return {
    list: (filter) => ask<GamesAnswer>("GET", `/games${query(filter)}`),
    create: (game) => ask<GameState>("POST", "/games", game),
    get: (id) => ask<GameState>("GET", path(id)),
    remove: async (id) => void (await send("DELETE", path(id))),
    restore: (id) => ask<GameState>("POST", `${path(id)}/restore`, {}),
    importPgn: (pgn) => ask<ImportAnswer>("POST", "/import", { pgn }),
    pgn: async (id, options) =>
      (await send("GET", `${path(id)}/pgn${query({ review: options?.annotated || undefined })}`)).blob(),
    exportPgn: async (filter) => (await send("GET", `/games.pgn${query(filter)}`)).blob(),
    follow: async (token, name) =>
      (await ask<LinkAnswer>("POST", `/links/${encodeURIComponent(token)}`, { name } satisfies Guest)).game,

    watch(id, listener) {
      const unwatch = connection.watch(
        id,
        (game) => listener.changed(game),
        (error) => listener.failed(error),
      );
      const unhear = connection.onNews((news) => {
        if (news.type === "declined" && news.game === id) listener.declined(news.offer);
        if (news.type === "gone" && news.game === id) listener.deleted();
      });
      return () => {
        unwatch();
        unhear();
      };
    },

    move: (game, ply, move) => command({ type: "move", game, ply, move }),
    takeback: (game) => command({ type: "takeback", game }),
    offerDraw: (game) => command({ type: "draw", game }),
    claimDraw: (game) => command({ type: "claim", game }),
    resign: (game) => command({ type: "resign", game }),
    answer: (game, to, accept) => command({ type: "answer", game, to, accept }),
    pause: (game, paused) => command({ type: "pause", game, paused }),
    async rematch(game) {
      const answer = await connection.request({ type: "rematch", game });
      return answer.type === "game" && answer.game.id !== game ? answer.game : null;
    },
    async hint(game) {
      const answer = await connection.request({ type: "hint", game });
      if (answer.type !== "hint") throw new Refusal("internal", "the server gave no hint");
      return answer;
    },
  };
}

const positions: Positions = {
  play: (request) => ask<PositionAnswer>("POST", "/position", request),
  explain: (request) => ask<Explanation>("POST", "/explain", request),
  readPgn: (pgn) => ask<PgnReadAnswer>("POST", "/pgn/read", { pgn }),
  writePgn: async (request) => (await send("POST", "/pgn/write", request)).text(),
};

function analysis(connection: Connection): AnalysisEngine {
  let end = (): void => undefined;
  return {
    start(request, updated, failed) {
      end();
      end = connection.stream(
        { type: "analyse", ...request },
        (message) => message.type === "analysis" && updated(message.analysis),
        failed,
      );
    },
    stop() {
      end();
      if (connection.status === "open") connection.request({ type: "stop" }).catch(() => undefined);
    },
  };
}

const reviews = (connection: Connection): Reviews => ({
  get: (game) => ask<Review>("GET", `${path(game)}/review`),
  start(game, effort, listener) {
    const end = connection.stream(
      { type: "review", game, effort },
      (message) => {
        if (message.type === "reviewing") listener.progressed(message.done, message.total);
        if (message.type !== "review") return;
        end();
        listener.finished(message.review);
      },
      (error) => listener.failed(error),
    );
    return end;
  },
  cancel(game) {
    connection.request({ type: "cancel", game }).catch(() => undefined);
  },
});

const exercises: Exercises = {
  list: (game) => ask<ExercisesAnswer>("GET", `/exercises${query({ game })}`),
  attempt: (attempt) => ask<ExerciseVerdict>("POST", "/exercises/check", attempt),
};
