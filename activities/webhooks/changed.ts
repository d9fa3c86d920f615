import type { Sql } from "../../src/db.js";
import { CHANGES } from "../../src/webhooks/senders.js";

/** Tells whoever sends for a subscription, once this commits, that it is not as it was. */
export async function tellSenders(
  tx: Sql,
  subscriptionId: string,
): Promise<void> {
  await tx.run("select pg_notify($1, $2)", [CHANGES, subscriptionId]);
}
