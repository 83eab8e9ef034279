// Requests with one answer, over HTTP.

import { API, type ApiError } from "../api";
import { Refusal } from "./backend";

export async function send(method: string, path: string, body?: unknown): Promise<Response> {
  const init: RequestInit = { method };
  if (body !== undefined) {
    init.headers = { "content-type": "application/json" };
    init.body = JSON.stringify(body);
  }
  let response: Response;
  try {
    response = await fetch(API + path, init);
  } catch (cause) {
    throw new Refusal("offline", "the server cannot be reached", { cause });
  }
  if (response.ok) return response;
  const error = await readError(response);
  throw new Refusal(error.code, error.message);
}

/** The server explains every refusal; a proxy in front of it does not. */
async function readError(response: Response): Promise<ApiError> {
  const error = (await response.json().catch(() => null)) as Partial<ApiError> | null;
  return {
    code: error?.code ?? "internal",
    message: error?.message || `the server answered with status ${response.status}`,
  };
}
