import { randomUUID } from "node:crypto";
import type { Actor } from "./actor.js";

/** Whom events name when it was nobody, or somebody whose account is gone. */
export const NOBODY = "00000000-0000-0000-0000-000000000000";

/** The service itself, for what nobody asked for: no row in `users`, `system` in the audit trail, the nil UUID in events. */
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
