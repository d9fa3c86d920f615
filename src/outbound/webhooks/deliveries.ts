import type { Knex } from "knex";
import { db } from "../../platform/db/db.js";
import { builder } from "../../platform/db/list.js";
import { type ListSlice, listPage, listSlice } from "../../platform/db/listing.js";
import type { RowOf } from "../../platform/db/shape.js";
import { type ErrorKind, errorKinds } from "../wire/error-kinds.js";
import {
  DeadDelivery,
  type DeadQuery,
  Delivery,
  DeliveryDetail,
  type DeliveryFilters,
  deadList,
  deliveryList,
  type ErrorQuery,
  errorList,
  type FailedAttempt,
  LoggedError,
} from "./delivery-shapes.js";

const FAILED_ATTEMPT = [
  ...["delivery_id", "d.event_id", "attempt_number", "http_status"],
  ...["error_kind", "error_detail", "attempted_at", "completed_at"],
  "scheduled_at",
];

/**
 * The deliveries of a subscription that were given up, newest first (docs/interface.md, Webhooks), without events of
 * warehouses other than these.
 */
export function deadDeliveries(subscription_id: string, filters: DeadQuery, warehouseIds: number[] | null) {
  const query = builder("webhook_deliveries as d")
    .where({ subscription_id, status: "dlq" })
    .select(...FAILED_ATTEMPT, "secret_generation", builder.raw(EVENT))
    .orderBy("completed_at", "desc")
    .orderBy("delivery_id", "desc");
  if (warehouseIds) query.whereRaw(NONE_ELSEWHERE, [warehouseIds]);
  return listSlice(DeadDelivery, query, filters, deadList, ({ records, ...part }: ListSlice<DeadDelivery>) => ({
    ...{ subscription_id, deliveries: records, ...part },
  }));
}

/**
 * All attempts of a subscription: those that have not ended, then the others, newest first. No event of a warehouse
 * other than these is among them.
 */
export function deliveries(subscription_id: string, filters: DeliveryFilters, warehouseIds: number[] | null) {
  const { status, event_type } = filters;
  const query = builder("webhook_deliveries as d")
    .where({ subscription_id })
    .select(...FAILED_ATTEMPT, "d.status", "secret_generation", builder.raw(EVENT))
    .orderBy("completed_at", "desc")
    .orderBy("delivery_id", "desc");
  // Written into the text, so that the indexes of a status are used.
  if (status) query.whereRaw(`d.status = '${status}'`);
  if (event_type)
    query.whereRaw("exists (select from integration_events e where e.event_id = d.event_id and e.event_type = ?)", [
      event_type,
    ]);
  if (warehouseIds) query.whereRaw(NONE_ELSEWHERE, [warehouseIds]);
  return listPage(Delivery, "deliveries", query, filters, deliveryList);
}

/** An attempt with what it sends; undefined where these warehouses have none of that id. */
export function delivery(subscriptionId: string, deliveryId: number, warehouseIds: number[] | null) {
  return db.row(
    DeliveryDetail,
    `select ${FAILED_ATTEMPT.join(", ")}, d.status, secret_generation, ${EVENT},
       (select e.envelope::json from integration_events e where e.event_id = d.event_id) as body
     from webhook_deliveries d
     where subscription_id = $1 and delivery_id = $2 and ($3::int[] is null or not exists (
       select from integration_events e where e.event_id = d.event_id and e.warehouse_id <> all($3)))`,
    [subscriptionId, deliveryId, warehouseIds],
  );
}

/** The event of a delivery `d` is of one of these warehouses, or gone. */
const NONE_ELSEWHERE =
  "not exists (select from integration_events e where e.event_id = d.event_id and e.warehouse_id <> all(?::int[]))";

const EVENT = `(select json_build_object(
    'event_type', e.event_type, 'event_timestamp', e.event_timestamp, 'aggregate_external_id', e.aggregate_external_id,
    'warehouse_id', e.warehouse_id, 'source_txn_id', e.source_txn_id)
  from integration_events e where e.event_id = d.event_id) as event`;

/**
 * The failed attempts of all subscriptions that the user may see, newest first, with advice (docs/interface.md,
 * Webhooks).
 */
export function loggedErrors(filters: ErrorQuery, warehouseIds: number[] | null) {
  const error_kinds = Object.keys(errorKinds) as ErrorKind[];
  const answer = ({ records, ...part }: ListSlice<LoggedError>) => ({ deliveries: records, ...part, error_kinds });
  const explained = (rows: RowOf<typeof Failed>[]) => rows.map((one) => ({ ...one, ...explanationOf(one) }));
  return listSlice(Failed, errors(filters, warehouseIds), filters, errorList, answer, explained);
}

const Failed = LoggedError.omit({ short_message: true, description: true, triage_hint: true });

const explanationOf = ({ error_kind }: FailedAttempt) => errorKinds[error_kind as ErrorKind] ?? errorKinds.unknown;

function errors(
  { subscription_id, error_kind, from, to }: ErrorQuery,
  warehouseIds: number[] | null,
): Knex.QueryBuilder {
  const query = builder("webhook_deliveries as d")
    .join("webhook_subscriptions as s", "s.subscription_id", "d.subscription_id")
    .select(
      "d.subscription_id",
      "display_name as subscription_display_name",
      "connector_id",
      "d.status",
      ...FAILED_ATTEMPT,
    )
    .whereRaw("d.status in ('failed', 'dlq')")
    .orderBy("completed_at", "desc")
    .orderBy("delivery_id", "desc");
  if (warehouseIds) query.whereRaw("s.subscription_filter->'warehouse_ids' <@ to_jsonb(?::int[])", [warehouseIds]);
  if (subscription_id) query.where("d.subscription_id", subscription_id);
  if (error_kind) query.where({ error_kind });
  if (from) query.where("completed_at", ">=", from);
  if (to) query.where("completed_at", "<=", to);
  return query;
}
