import { randomUUID } from "node:crypto";
import type { Actor } from "./actor.js";

/** The user id in events where there was no user, or the account is deleted. */
export const NOBODY = "00000000-0000-0000-0000-000000000000";

/** The service itself as actor: no row in `users`, `system` in the audit log, the nil UUID in events. */
export function systemActor(commandId: string): Actor {
  return {
    userId: 0,
    username: "system",
    externalId: NOBODY,
    role: "ADMIN",
    warehouseIds: [],
    requestId: randomUUID(),
    commandId,
  };
}
