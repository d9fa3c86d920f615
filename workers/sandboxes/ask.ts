import { insideOf } from "../../api/http/inside.js";
import type { SessionUser } from "../../src/auth/queries.js";
import { overrideKeys, pageKeys } from "../../src/auth/rights.js";
import type { Config } from "../../src/platform/config/config.js";
import { DomainError } from "../../src/platform/problem.js";
import { NOBODY } from "../../src/platform/system-actor.js";
import { SANDBOX_USER } from "../../src/sandboxes/actor.js";
import { insideApp } from "../inside-app.js";

// biome-ignore lint/suspicious/noExplicitAny: an answer of any route
type Json = any;

/** What a route of the service refuses; for whoever asked for it, the refusal of what was asked. */
export class Refused extends DomainError {}

/**
 * Makes requests of the service's own routes, within the process and without a credential: as somebody who may do all
 * that people do in this warehouse, and nothing in any other. The same key again gets the first answer.
 */
export type Ask = (request: `${"GET" | "POST"} /api/${string}`, body?: object, key?: string) => Promise<Json>;

export const askIn = (config: Config<"worker">, sandboxId: number, warehouseId: number): Ask => {
  const user = userOf(warehouseId);
  return async (request, body, key) => {
    const app = await insideApp(config);
    const [method, path] = request.split(" ") as [string, string];
    const headers = key === undefined ? {} : { "idempotency-key": key };
    const asked = { method, path, headers, ...(body && { body }) };
    const { status, text } = await insideOf(app)({ user, through: { agent: `sandbox ${sandboxId}` } }, asked);
    if (status === 429 || status >= 500) throw new Error(`${request} answered ${status}: ${text.slice(0, 500)}`);
    const answer: Json = text ? JSON.parse(text) : null;
    if (status >= 400)
      throw new Refused(answer?.code ?? "refused", status, { error: answer?.error ?? `HTTP ${status}` });
    return answer;
  };
};

/** No row of `users`: whoever signs in is somebody else. */
const userOf = (warehouseId: number): SessionUser => ({
  ...{ user_id: 0, username: SANDBOX_USER, external_id: NOBODY, role: "USER" },
  ...{ warehouse_id: warehouseId, warehouse_ids: [warehouseId], shown_warehouses: null },
  ...{ is_active: true, must_change_password: false, password_changed_at: null, badge_id: null },
  ...{ page_keys: [...pageKeys, ...overrideKeys], callable_functions: null, step_up_settings: {} },
  ...{ needs_factor: false, has_factor: false, trusts_provider: false, has_ended: false, epoch: "", epoch_began: 0 },
});
