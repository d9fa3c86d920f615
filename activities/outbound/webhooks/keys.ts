import type { WebhookKey } from "../../../src/outbound/secrets.js";
import { ShownKeys } from "../../../src/outbound/webhooks/key-shapes.js";
import { KEYS_SHOWN } from "../../../src/outbound/webhooks/queries.js";
import type { Sql } from "../../../src/platform/db/db.js";
import type { Tx } from "../../command.js";

/** A key as it is stored: what may be shown of it, and the rest, sealed by the caller. */
export interface NewKey {
  shown: object;
  sealed: string;
}

/** What a request says of keys: another one, or none any more. A signing key is only taken where there is none. */
export type KeyChanges = { [K in Exclude<WebhookKey, "signing_before">]?: NewKey | null | undefined };

const ShownRow = { keys: ShownKeys };

/** What may be shown of the keys of a subscription. */
export async function shownKeys(sql: Sql, subscriptionId: string): Promise<ShownKeys> {
  const row = await sql.row(
    ShownRow,
    `select ${KEYS_SHOWN} as keys from webhook_subscriptions s where subscription_id = $1`,
    [subscriptionId],
  );
  return row?.keys ?? {};
}

/** Stores the keys of a locked subscription. */
export async function changeKeys(tx: Tx, subscriptionId: string, { signing, ...others }: KeyChanges): Promise<void> {
  if (signing === null) await remove(tx, subscriptionId, ["signing", "signing_before"]);
  else if (signing)
    await tx.run(
      `insert into webhook_keys (subscription_id, kind, shown, sealed)
       values ($1, 'signing', $2, $3) on conflict do nothing`,
      [subscriptionId, JSON.stringify(signing.shown), signing.sealed],
    );
  for (const [kind, key] of Object.entries(others))
    if (key === null) await remove(tx, subscriptionId, [kind]);
    else if (key)
      await tx.run(
        `insert into webhook_keys (subscription_id, kind, shown, sealed) values ($1, $2, $3, $4)
         on conflict (subscription_id, kind) do update
           set shown = excluded.shown, sealed = excluded.sealed, created_at = now()`,
        [subscriptionId, kind, JSON.stringify(key.shown), key.sealed],
      );
}

const remove = (tx: Tx, subscriptionId: string, kinds: string[]) =>
  tx.run("delete from webhook_keys where subscription_id = $1 and kind = any($2)", [subscriptionId, kinds]);

/** Gives a locked subscription that has a signing key another one; the one before holds for another 24 hours. */
export async function replaceSigningKey(tx: Tx, subscriptionId: string, key: NewKey): Promise<void> {
  await remove(tx, subscriptionId, ["signing_before"]);
  const demoted = await tx.run(
    `update webhook_keys set kind = 'signing_before', expires_at = now() + interval '24 hours'
     where subscription_id = $1 and kind = 'signing'`,
    [subscriptionId],
  );
  if (demoted > 0) await changeKeys(tx, subscriptionId, { signing: key });
}
