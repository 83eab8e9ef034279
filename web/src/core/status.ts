// What a game says about itself: whose move it is, or how it ended.

import type { Color, GameState, Outcome } from "../api";
import { capital } from "./speech";

export function statusText(game: GameState, isReplaying: boolean): string {
  if (game.outcome) return outcomeText(game.outcome, game.you);
  if (game.kind === "imported") return isReplaying ? "Replaying" : "A recorded game";
  if (!game.white.seated || !game.black.seated) return "Waiting for your friend";
  if (game.paused) return "Paused";
  if (game.thinking) return `${game[game.thinking].name} is thinking…`;
  const { turn, check } = game.position;
  if (game.you === "both") return `${capital(turn)} to move`;
  if (game.you === turn) return check ? "Your move: you are in check" : "Your move";
  return `${game[turn].name} to move`;
}

function outcomeText({ winner, result, text }: Outcome, you: GameState["you"]): string {
  if (winner) return `${winnerText(winner, you)}: ${text}`;
  return result === "*" ? text : `Draw: ${text}`;
}

function winnerText(winner: Color, you: GameState["you"]): string {
  if (winner === you) return "You won";
  return you === "both" || !you ? `${capital(winner)} won` : "You lost";
}
