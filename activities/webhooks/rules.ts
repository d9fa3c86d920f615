import { type Actor, scopeOf } from "../../src/actor.js";
import { WarehouseDenied } from "../../src/problem.js";
import { canonicalUrl } from "../../src/webhooks/canonical-url.js";
import type { Filter } from "../../src/webhooks/filter.js";
import {
  DlqCeilingAboveHardCap,
  EmptyFilterArray,
  HttpsRequired,
  PendingCeilingAboveHardCap,
  PrivateDestination,
  UnsupportedScheme,
  UrlReuseTombstone,
} from "../../src/webhooks/problems.js";
import type { Tx } from "../command.js";
import { refuseUnknownReach } from "../token-scope.js";

/** What this installation lets a subscription be. */
export interface Policy {
  allowHttp: boolean;
  pendingHardCap: number;
  dlqHardCap: number;
}

/** Where a subscription is to send, and what its host name leads to. */
export interface Destination {
  url: string;
  isPrivate: boolean;
  acknowledgeReuse: boolean;
}

/** No column holds more, whatever the installation allows. */
const MOST_PENDING = 100_000;
const MOST_DLQ = 10_000;

export function refuseHighCeilings(
  asked: {
    pending_ceiling?: number | undefined;
    dlq_ceiling?: number | undefined;
  },
  policy: Policy,
): void {
  for (const [ceiling, hard_cap, refusal] of [
    [
      asked.pending_ceiling,
      Math.min(policy.pendingHardCap, MOST_PENDING),
      PendingCeilingAboveHardCap,
    ],
    [
      asked.dlq_ceiling,
      Math.min(policy.dlqHardCap, MOST_DLQ),
      DlqCeilingAboveHardCap,
    ],
  ] as const)
    if (ceiling !== undefined && ceiling > hard_cap)
      throw refusal({}, { hard_cap });
}

/** Refuses where nothing may be sent, and where events of a deleted subscription went unless that is meant (spec 6.3, rule 12). */
export async function refuseDestination(
  tx: Tx,
  { url, isPrivate, acknowledgeReuse }: Destination,
  policy: Policy,
  by: Actor,
): Promise<void> {
  const { protocol, hostname } = new URL(url);
  if (protocol !== "https:" && protocol !== "http:")
    throw UnsupportedScheme({ scheme: protocol.slice(0, -1) });
  if (protocol === "http:" && !policy.allowHttp) throw HttpsRequired();
  if (isPrivate)
    throw PrivateDestination(
      {},
      { detail: `${hostname} is not on the public internet` },
    );
  const canonical = canonicalUrl(url);
  if (acknowledgeReuse) {
    await tx.run(
      `update webhook_subscriptions_tombstones set acknowledged_at = now(), acknowledged_by = $2
       where delivery_url_canonical = $1 and acknowledged_at is null`,
      [canonical, by.userId],
    );
    return;
  }
  const tombstone = await tx.row<{ tombstone_id: number }>(
    `select tombstone_id from webhook_subscriptions_tombstones
     where delivery_url_canonical = $1 and acknowledged_at is null order by tombstone_id desc limit 1`,
    [canonical],
  );
  if (tombstone)
    throw UrlReuseTombstone(
      {},
      {
        tombstone_id: tombstone.tombstone_id,
        detail:
          "A deleted subscription sent to this URL; send acknowledge_url_reuse: true if it is meant",
      },
    );
}

/** Refuses a filter that selects nothing or what does not exist; a USER's filter keeps to own warehouses, and so it names some. */
export async function refuseFilter(
  tx: Tx,
  filter: Filter,
  by: Actor,
): Promise<void> {
  for (const [field, values] of Object.entries(filter))
    if (values.length === 0)
      throw EmptyFilterArray(
        {},
        { field, detail: "Leave the field out to select everything" },
      );
  const { event_types = [], warehouse_ids = [] } = filter;
  const reach = { event_types, warehouse_ids, endpoints: [] };
  await refuseUnknownReach(tx, reach, by);
  if (warehouse_ids.length === 0 && scopeOf(by)) throw WarehouseDenied();
}
