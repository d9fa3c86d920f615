import type { Actor } from "../platform/actor.js";
import { systemActor } from "../platform/system-actor.js";

/** The name of a sandbox in the audit log. */
export const SANDBOX_USER = "system:sandbox";

/** What moves a sandbox, as the actor of a command: it may touch that warehouse alone. */
export const sandboxActor = (warehouseId: number, commandId: string): Actor => ({
  ...systemActor(commandId),
  ...{ username: SANDBOX_USER, role: "USER", warehouseIds: [warehouseId] },
});
