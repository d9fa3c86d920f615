import type { CallOptions } from "../../../../client/src/index.js";
import { api } from "../../../shared/api.js";
import type { KeptPick } from "./kept-walk.js";
import type { Confirmation, ShortBody } from "./progress.js";

/** How scans of a walk are sent that were kept without the net. */
export const sends = {
  confirm: ({ body }: KeptPick<Confirmation>, options: CallOptions) =>
    api.post("/api/picking/confirm", { body, ...options }),
  short: ({ body }: KeptPick<ShortBody>, options: CallOptions) => api.post("/api/picking/short", { body, ...options }),
};
