import type { Sql } from "../../../src/db/db.js";
import { CHANGES } from "../../../src/outbound/webhooks/senders.js";

/** Notifies the sender of a subscription, when the transaction commits, that the subscription has changed. */
export async function notifySenders(tx: Sql, subscriptionId: string): Promise<void> {
  await tx.run("select pg_notify($1, $2)", [CHANGES, subscriptionId]);
}
