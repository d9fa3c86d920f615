import type { Knex } from "knex";
import { builder, slice } from "../list.js";
import { type ErrorKind, errorKinds } from "./error-kinds.js";

/** An attempt that failed, as the viewers show it. */
interface FailedAttempt {
  delivery_id: number;
  event_id: number;
  attempt_number: number;
  http_status: number | null;
  error_kind: string | null;
  error_detail: string | null;
  attempted_at: string | null;
  completed_at: string;
  scheduled_at: string;
}

const FAILED_ATTEMPT = [
  ...["delivery_id", "d.event_id", "attempt_number", "http_status"],
  ...["error_kind", "error_detail", "attempted_at", "completed_at"],
  "scheduled_at",
];

export interface DeadDelivery extends FailedAttempt {
  secret_generation: 1 | 2 | null;
  /** Null when the event is gone. */
  event: {
    event_type: string;
    event_timestamp: string;
    aggregate_external_id: string;
    warehouse_id: number;
    source_txn_id: string;
  } | null;
}

/** What was given up of a subscription, the newest first (reference 05 §3). */
export function deadDeliveries(
  subscriptionId: string,
  limit: number,
  offset: number,
) {
  const query = builder("webhook_deliveries as d")
    .where({ subscription_id: subscriptionId, status: "dlq" })
    .select(...FAILED_ATTEMPT, "secret_generation", builder.raw(EVENT))
    .orderBy("completed_at", "desc")
    .orderBy("delivery_id", "desc");
  return slice<DeadDelivery>(query, limit, offset);
}

const EVENT = `(select json_build_object(
    'event_type', e.event_type, 'event_timestamp', e.event_timestamp, 'aggregate_external_id', e.aggregate_external_id,
    'warehouse_id', e.warehouse_id, 'source_txn_id', e.source_txn_id)
  from integration_events e where e.event_id = d.event_id) as event`;

export interface ErrorFilters {
  limit: number;
  offset: number;
  subscription_id?: string | undefined;
  error_kind?: ErrorKind | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

export interface LoggedError extends FailedAttempt {
  subscription_id: string;
  subscription_display_name: string;
  connector_id: string;
  status: "failed" | "dlq";
  short_message: string;
  description: string;
  triage_hint: string;
}

/** What failed of all subscriptions that the keeper may see, the newest first, with what to do about it (reference 05 §4). */
export async function loggedErrors(
  filters: ErrorFilters,
  scope: number[] | null,
) {
  const { records, total } = await slice<LoggedError>(
    errors(filters, scope),
    filters.limit,
    filters.offset,
  );
  const deliveries = records.map((one) => ({ ...one, ...words(one) }));
  return { deliveries, total };
}

const words = ({ error_kind }: FailedAttempt) =>
  errorKinds[error_kind as ErrorKind] ?? errorKinds.unknown;

function errors(
  { subscription_id, error_kind, from, to }: ErrorFilters,
  scope: number[] | null,
): Knex.QueryBuilder {
  const query = builder("webhook_deliveries as d")
    .join(
      "webhook_subscriptions as s",
      "s.subscription_id",
      "d.subscription_id",
    )
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
  if (scope)
    query.whereRaw(
      "s.subscription_filter->'warehouse_ids' <@ to_jsonb(?::int[])",
      [scope],
    );
  if (subscription_id) query.where("d.subscription_id", subscription_id);
  if (error_kind) query.where({ error_kind });
  if (from) query.where("completed_at", ">=", from);
  if (to) query.where("completed_at", "<=", to);
  return query;
}
