// The backend behind a channel: requests with one answer, and a connection for everything live. The server and the worker on
// this device are such channels, with the same messages.

import type {
  ExercisesAnswer,
  ExerciseVerdict,
  Explanation,
  GameState,
  GamesAnswer,
  Guest,
  ImportAnswer,
  Info,
  LinkAnswer,
  OptionsAnswer,
  PgnReadAnswer,
  PositionAnswer,
  Review,
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
import type { Body, Connection } from "./connection";

export interface Channel {
  readonly place: Backend["place"];
  /** Sends a request and returns its answer; throws a refusal. */
  send(method: string, path: string, body?: unknown): Promise<Response>;
  readonly connection: Connection;
}

export function backendOver(channel: Channel): Backend {
  return {
    place: channel.place,
    session: session(channel),
    games: games(channel),
    positions: positions(channel),
    analysis: analysis(channel),
    reviews: reviews(channel),
    exercises: exercises(channel),
  };
}

async function ask<T>(channel: Channel, method: string, address: string, body?: unknown): Promise<T> {
  const response = await channel.send(method, address, body);
  return (await response.json()) as T;
}

/** Values as the query of an address; empty ones are left out. */
function query(values: object): string {
  const pairs = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
  const text = new URLSearchParams(pairs.map(([key, value]) => [key, String(value)])).toString();
  return text && `?${text}`;
}

const path = (id: string): string => `/games/${encodeURIComponent(id)}`;

const session = (channel: Channel): Session => ({
  info: () => ask<Info>(channel, "GET", "/info"),
  options: async () => (await ask<OptionsAnswer>(channel, "GET", "/options")).options,
  login: async (password) => void (await channel.send("POST", "/login", { password })),
  start: () => channel.connection.start(),
  onStatus: (listener) => channel.connection.onStatus(listener),
});

function games(channel: Channel): Games {
  const { connection } = channel;
  const command = async (body: Body): Promise<void> => void (await connection.request(body));
  return {
    list: (filter) => ask<GamesAnswer>(channel, "GET", `/games${query(filter)}`),
    create: (game) => ask<GameState>(channel, "POST", "/games", game),
    get: (id) => ask<GameState>(channel, "GET", path(id)),
    remove: async (id) => void (await channel.send("DELETE", path(id))),
    restore: (id) => ask<GameState>(channel, "POST", `${path(id)}/restore`, {}),
    importPgn: (pgn) => ask<ImportAnswer>(channel, "POST", "/import", { pgn }),
    pgn: async (id, options) =>
      (
        await channel.send("GET", `${path(id)}/pgn${query({ review: options?.annotated || undefined })}`)
      ).blob(),
    exportPgn: async (filter) => (await channel.send("GET", `/games.pgn${query(filter)}`)).blob(),
    upload: async (game) => void (await channel.send("PUT", path(game.id), game)),
    follow: async (token, name) =>
      (
        await ask<LinkAnswer>(channel, "POST", `/links/${encodeURIComponent(token)}`, {
          name,
        } satisfies Guest)
      ).game,

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

const positions = (channel: Channel): Positions => ({
  play: (request) => ask<PositionAnswer>(channel, "POST", "/position", request),
  explain: (request) => ask<Explanation>(channel, "POST", "/explain", request),
  readPgn: (pgn) => ask<PgnReadAnswer>(channel, "POST", "/pgn/read", { pgn }),
  writePgn: async (request) => (await channel.send("POST", "/pgn/write", request)).text(),
});

function analysis({ connection }: Channel): AnalysisEngine {
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

const reviews = (channel: Channel): Reviews => ({
  get: (game) => ask<Review>(channel, "GET", `${path(game)}/review`),
  start(game, effort, listener) {
    const end = channel.connection.stream(
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
    channel.connection.request({ type: "cancel", game }).catch(() => undefined);
  },
});

const exercises = (channel: Channel): Exercises => ({
  list: (game) => ask<ExercisesAnswer>(channel, "GET", `/exercises${query({ game })}`),
  attempt: (attempt) => ask<ExerciseVerdict>(channel, "POST", "/exercises/check", attempt),
});
