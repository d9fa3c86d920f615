import {
  ConflictingChoices,
  DlqCeilingAboveHardCap,
  EmptyFilterArray,
  HttpsRequired,
  PendingCeilingAboveHardCap,
  PrivateDestination,
  UnknownContact,
  UnsupportedScheme,
  UrlReuseTombstone,
} from "../../../src/outbound/problems.js";
import { canonicalUrl } from "../../../src/outbound/webhooks/canonical-url.js";
import type { Filter } from "../../../src/outbound/webhooks/filter.js";
import type { Subscription } from "../../../src/outbound/webhooks/queries.js";
import { canonicalHost } from "../../../src/outbound/wire/connections.js";
import { type Actor, visibleWarehouses } from "../../../src/platform/actor.js";
import { int } from "../../../src/platform/db/columns.js";
import { WarehouseDenied } from "../../../src/platform/problem.js";
import { checkScope } from "../../auth/token-scope.js";
import type { Tx } from "../../command.js";

/** The limits that are configured for subscriptions. */
export interface Policy {
  allowHttp: boolean;
  pendingHardCap: number;
  dlqHardCap: number;
}

/** The URL that a request names, and whether its host has a private address. */
export interface Destination {
  url: string;
  isPrivate: boolean;
}

export interface DeliveryUrl extends Destination {
  acknowledgeReuse: boolean;
}

/** The maximum of the columns, whatever is configured. */
const MAX_PENDING = 100_000;
const MAX_DLQ = 10_000;

export function refuseHighCeilings(
  asked: { pending_ceiling?: number | undefined; dlq_ceiling?: number | undefined },
  policy: Policy,
): void {
  for (const [ceiling, hard_cap, refusal] of [
    [asked.pending_ceiling, Math.min(policy.pendingHardCap, MAX_PENDING), PendingCeilingAboveHardCap],
    [asked.dlq_ceiling, Math.min(policy.dlqHardCap, MAX_DLQ), DlqCeilingAboveHardCap],
  ] as const)
    if (ceiling !== undefined && ceiling > hard_cap) throw refusal({}, { hard_cap });
}

/** Refuses URLs that nothing may be sent to. */
export function refuseDestination({ url, isPrivate }: Destination, allowHttp: boolean): void {
  const { protocol, hostname } = new URL(url);
  if (protocol !== "https:" && protocol !== "http:") throw UnsupportedScheme({ scheme: protocol.slice(0, -1) });
  if (protocol === "http:" && !allowHttp) throw HttpsRequired();
  if (isPrivate) throw PrivateDestination({}, { detail: `${canonicalHost(hostname)} is not on the public internet` });
}

/** The same, and refuses those of deleted subscriptions unless that is acknowledged (docs/interface.md, Webhooks). */
export async function refuseDeliveryUrl(
  tx: Tx,
  { url, isPrivate, acknowledgeReuse }: DeliveryUrl,
  policy: Policy,
  by: Actor,
): Promise<void> {
  refuseDestination({ url, isPrivate }, policy.allowHttp);
  const canonical = canonicalUrl(url);
  if (acknowledgeReuse) {
    await tx.run(
      `update webhook_subscriptions_tombstones set acknowledged_at = now(), acknowledged_by = $2
       where delivery_url_canonical = $1 and acknowledged_at is null`,
      [canonical, by.userId],
    );
    return;
  }
  const tombstone = await tx.row(
    { tombstone_id: int },
    `select tombstone_id from webhook_subscriptions_tombstones
     where delivery_url_canonical = $1 and acknowledged_at is null order by tombstone_id desc limit 1`,
    [canonical],
  );
  if (tombstone)
    throw UrlReuseTombstone(
      {},
      {
        tombstone_id: tombstone.tombstone_id,
        detail: "A deleted subscription sent to this URL; send acknowledge_url_reuse: true if it is meant",
      },
    );
}

/**
 * Refuses a filter that selects nothing, or names what does not exist; a USER's filter must name warehouses of the
 * user, and no others.
 */
export async function refuseFilter(tx: Tx, filter: Filter, by: Actor): Promise<void> {
  for (const [field, values] of Object.entries(filter))
    if (values.length === 0) throw EmptyFilterArray({}, { field, detail: "Leave the field out to select everything" });
  const { event_types = [], warehouse_ids = [] } = filter;
  await checkScope(tx, { event_types, warehouse_ids, endpoints: [] }, by);
  if (warehouse_ids.length === 0 && visibleWarehouses(by)) throw WarehouseDenied();
}

/** Refuses a notification destination that there is not in the user's warehouses. */
export async function refuseContact(tx: Tx, webhookId: number | null | undefined, by: Actor): Promise<void> {
  if (!webhookId) return;
  const found = await tx.row(
    {},
    `select from notification_webhooks where webhook_id = $1 and ($2::int[] is null or warehouse_id = any($2))
     for key share`,
    [webhookId, visibleWarehouses(by)],
  );
  if (!found) throw UnknownContact();
}

/** Refuses choices that cannot go together. */
export function refuseConflicts({
  batch,
  ordering,
  format,
}: Pick<Subscription, "batch" | "ordering" | "format">): void {
  if (!batch) return;
  if (ordering === "aggregate")
    throw ConflictingChoices({}, { detail: 'A batch has all events in order: ordering must be "subscription"' });
  if (format === "cloudevents-binary")
    throw ConflictingChoices({}, { detail: "The headers of a request tell of one event: a batch has none of them" });
}
