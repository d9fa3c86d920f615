import { sequenceAll } from "../../activities/outbound/sequencer.js";
import { outboundSlugs } from "../../src/auth/tokens/scope.js";
import { type EventType, eventTypes } from "../../src/platform/events/catalog.js";
import { repeating } from "../../workers/repeating.js";
import type { Answer, Caller } from "./caller.js";
import { db } from "./db.js";
import type { TestService } from "./service.js";
import { tokenCaller } from "./tokens.js";

export const EVENTS = "/api/v1/events";
export const ACK = `${EVENTS}/ack`;

export const told = ({ status, body }: Answer) => [status, body];
/** A refusal, as `told` tells it. */
export const error = (status: number, kind: string, more: object = {}) => [status, { error: kind, ...more }];

/** Numbers all events that wait, and makes them old enough to be read. */
export async function age(): Promise<void> {
  await sequenceAll();
  await db.run(
    `update integration_events set visible_at = visible_at - interval '3 seconds'
     where visible_at > now() - interval '3 seconds'`,
  );
}

/** Ages events as they happen, in place of the sequencer, until stopped: so nobody waits until they may be read. */
export const runAgeing = () => repeating("ageing of events", age, 50);

/** Events that happened, one for each type and warehouse, in this order; gives their numbers. */
export async function happened(...wanted: [EventType, number][]): Promise<number[]> {
  await db.run(
    `insert into integration_events (event_type, aggregate_type, aggregate_external_id, entity_type, entity_id,
      warehouse_id,
                                     source_txn_id, payload)
     select type, 'sales_order', gen_random_uuid(), 'sales_order', 1, warehouse_id, gen_random_uuid(), '{}'
     from unnest($1::text[], $2::int[]) with ordinality e(type, warehouse_id, place) order by place`,
    [wanted.map(([type]) => type), wanted.map(([, id]) => id)],
  );
  await age();
  const rows = await db.rows<{ event_id: number }>(
    "select event_id from integration_events order by event_id desc limit $1",
    [wanted.length],
  );
  return rows.map(({ event_id }) => event_id).reverse();
}

/** The number of the newest event. */
export async function newest(): Promise<number> {
  const state = await db.row<{ last_no: number }>("select last_no from sequencer_state where name = 'events'");
  return state?.last_no as number;
}

/** The numbers of the events of a page. */
export async function page(caller: Caller, query: Record<string, string | number>): Promise<number[]> {
  const { events } = await caller.ok("GET", `${EVENTS}?${textOf(query)}`);
  return events.map(({ event_id }: { event_id: number }) => event_id);
}

export const poll = (caller: Caller, query: Record<string, string | number> = {}): Promise<Answer> =>
  caller.get(`${EVENTS}?${textOf(query)}`);

const textOf = (query: Record<string, string | number>) =>
  new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, `${value}`]));

/** A consumer group, as its admin made it. */
export async function consumerGroup(connector_id: string, subscription: unknown = {}): Promise<string> {
  await db.run("insert into connectors (connector_id, display_name) values ($1, $1) on conflict do nothing", [
    connector_id,
  ]);
  const made = await db.row<{ id: string }>(
    `insert into consumer_groups (consumer_group_id, connector_id, subscription)
     values ('group-' || gen_random_uuid(), $1, $2) returning consumer_group_id as id`,
    [connector_id, JSON.stringify(subscription)],
  );
  return made?.id as string;
}

/** Somebody of the connector `erp` who may ask everything of some warehouses. */
export const partner = async (service: TestService, warehouse_ids: number[], fields: object = {}): Promise<Caller> =>
  (
    await tokenCaller(service, {
      ...{ event_types: eventTypes, endpoints: [...outboundSlugs] },
      ...{ warehouse_ids, connector_id: "erp" },
      ...fields,
    })
  ).caller;
