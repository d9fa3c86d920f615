import { randomUUID } from "node:crypto";
import { sequenceAll } from "../../activities/outbound/sequencer.js";
import { type EncryptionKeys, unseal } from "../../src/auth/sealed.js";
import { secretOwner } from "../../src/outbound/secrets.js";
import type { Caller } from "./caller.js";
import { db } from "./db.js";

/** Webhooks and what became of their deliveries, where no test needs a sender. */

export const WEBHOOKS = "/api/admin/webhooks";

/** A name of the connector registry. */
export async function connector(): Promise<string> {
  const connector_id = `c-${randomUUID().slice(0, 8)}`;
  await db.run("insert into connectors values ($1, $1)", [connector_id]);
  return connector_id;
}

/** An address of the public internet, which no name server needs to be asked for; nothing is ever sent to it here. */
export const publicUrl = () => `https://93.184.216.34/${randomUUID()}`;

/** What a subscription needs, which no event fits. */
export const newWebhook = async (fields: object = {}) => ({
  connector_id: await connector(),
  display_name: "Acme ERP",
  delivery_url: publicUrl(),
  subscription_filter: { aggregate_external_id_allowlist: [randomUUID()] },
  ...fields,
});

/** Subscribes over HTTP; gives the answer. */
export const subscribe = async (by: Caller, fields: object = {}) => by.ok("POST", WEBHOOKS, await newWebhook(fields));

/** The secrets of a subscription, the newest first, and in how many hours they end. */
export async function storedSecrets(subscriptionId: string, keys: EncryptionKeys) {
  const rows = await db.rows<{ generation: number; sealed: string; hours: number }>(
    `select generation, secret_ciphertext as sealed,
            (extract(epoch from expires_at - now()) / 3600)::float8 as hours
     from webhook_secrets where subscription_id = $1 order by generation`,
    [subscriptionId],
  );
  return rows.map(({ sealed, ...row }) => ({ ...row, secret: unseal(sealed, secretOwner(subscriptionId), keys) }));
}

/** A numbered event that nothing caused; gives its number. */
export async function numberedEvent({ event_type = "ship.confirmed", warehouse_id = 1 } = {}): Promise<number> {
  const made = await db.row<{ outbox_id: number }>(
    `insert into integration_events (event_type, aggregate_type, aggregate_external_id, entity_type, entity_id,
      warehouse_id,
                                     source_txn_id, payload)
     values ($1, 'sales_order', gen_random_uuid(), 'sales_order', 1, $2, gen_random_uuid(), '{}') returning outbox_id`,
    [event_type, warehouse_id],
  );
  await sequenceAll();
  const numbered = await db.row<{ event_id: number }>("select event_id from integration_events where outbox_id = $1", [
    made?.outbox_id,
  ]);
  return numbered?.event_id as number;
}

export interface NewDelivery {
  status: "pending" | "in_flight" | "succeeded" | "failed" | "dlq";
  event_id?: number;
  attempt_number?: number;
  /** How long ago it was attempted, and ended if it did. */
  age?: string;
  http_status?: number;
  error_kind?: string;
  error_detail?: string;
  response_time_ms?: number;
}

/** An attempt as a sender leaves it; gives its id. */
export async function delivery(subscription_id: string, fields: NewDelivery): Promise<number> {
  const made = await db.row<{ delivery_id: number }>(
    `insert into webhook_deliveries
       (subscription_id, event_id, attempt_number, status, scheduled_at, attempted_at, completed_at, http_status,
        error_kind, error_detail, response_time_ms, secret_generation, created_at)
     select $1, $2, $3, status, at, case when status <> 'pending' then at end,
            case when status not in ('pending', 'in_flight') then at end, $6, $7, $8, $9,
            case when status <> 'pending' then 1 end, at
     from (select $4 as status, now() - $5::interval as at) t returning delivery_id`,
    [
      subscription_id,
      fields.event_id ?? 1,
      fields.attempt_number ?? 1,
      fields.status,
      fields.age ?? "0",
      fields.http_status,
      fields.error_kind,
      fields.error_detail,
      fields.response_time_ms,
    ],
  );
  return made?.delivery_id as number;
}

/** A second attempt that is due in an hour; gives its id. */
export async function waiting(subscription_id: string, event_id?: number): Promise<number> {
  const of = { ...(event_id && { event_id }) };
  const first = await delivery(subscription_id, { ...of, status: "failed", error_kind: "5xx", http_status: 503 });
  const id = await delivery(subscription_id, { ...of, status: "pending", attempt_number: 2, age: "-1 hour" });
  await db.run("update webhook_deliveries set first_delivery_id = $2 where delivery_id = $1", [id, first]);
  return id;
}

export interface DeliveryRow {
  delivery_id: number;
  event_id: number;
  attempt_number: number;
  status: string;
  error_kind: string | null;
  error_detail: string | null;
}

/** All attempts of a subscription, in the order they were made. */
export const deliveriesOf = (subscription_id: string) =>
  db.rows<DeliveryRow>(
    `select delivery_id, event_id, attempt_number, status, error_kind, error_detail
     from webhook_deliveries where subscription_id = $1 order by delivery_id`,
    [subscription_id],
  );
