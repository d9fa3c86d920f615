import { api } from "../../../shared/api.js";
import { SOON } from "../../task.js";
import { keptWalk } from "./kept-walk.js";

/** Gives the wave of a device back. Where that is refused or not answered, the lease ends by itself. */
export async function leave(user: string): Promise<void> {
  const walk = keptWalk(user);
  const { batch_id, lease_id } = walk.get() ?? {};
  if (!batch_id || !lease_id) return;
  const request = { path: { batch_id }, body: { lease_id }, ...SOON };
  await api.post("/api/picking/batch/{batch_id}/give-back-lease", request).then(
    () => walk.set(null),
    () => {},
  );
}
