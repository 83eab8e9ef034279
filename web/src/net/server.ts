// The backend that the page comes from: HTTP for requests with one answer, a WebSocket for everything live.

import { API } from "../api";
import type { Backend } from "./backend";
import { backendOver } from "./client";
import { connect } from "./connection";
import { send } from "./http";

export const connectServer = (): Backend =>
  backendOver({ place: "server", send, connection: connect(`${API}/ws`) });
