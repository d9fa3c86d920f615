import { randomUUID } from "node:crypto";
import type { Actor } from "./actor.js";

/** The service itself, for what nobody asked for: no row in `users`, `system` in the audit trail, the nil UUID in events. */
export function systemActor(commandId: string): Actor {
  return {
    userId: 0,
    username: "system",
    externalId: "00000000-0000-0000-0000-000000000000",
    role: "ADMIN",
    warehouseIds: [],
    requestId: randomUUID(),
    commandId,
  };
}
