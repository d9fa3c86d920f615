import { randomUUID } from "node:crypto";
import { command } from "../../activities/command.js";
import type { Actor } from "../../src/platform/actor.js";
import { transaction } from "../../src/platform/db/db.js";
import type { DomainEvent } from "../../src/platform/events/outbox.js";
import { anew, type Case, times } from "../case.js";
import { WAREHOUSE } from "../data.js";

/** An event of an order of its own. */
export function packed(by: Actor, entityId: number): DomainEvent {
  const aggregateId = randomUUID();
  return {
    type: "pack.confirmed",
    aggregateId,
    entity: "sales_order",
    entityId,
    warehouseId: WAREHOUSE,
    data: {
      sales_order_external_id: aggregateId,
      packages: [],
      completed_by_user_external_id: by.externalId,
      completed_at: new Date().toISOString(),
    },
  };
}

/** Commits that write an event and an audit row and nothing else, while the worker's sequencer numbers the events. */
export const eventCommits: Case = {
  name: "event commits",
  works: 6_000,
  prepare: async ({ somebody }, count) => {
    const { by } = somebody();
    return times(count, (i) => {
      const event = packed(by, i);
      return {
        served: () =>
          command("bench.event", anew(by), {}, async (tx) => {
            tx.audit({ action: "PACK", entity: "SO", entityId: i, warehouseId: WAREHOUSE });
            tx.emit(event);
          }),
        directly: () => {
          const values = [randomUUID(), i, by.username, event.aggregateId, by.requestId, JSON.stringify(event.data)];
          return transaction((tx) => tx.run(WRITE, values));
        },
      };
    });
  },
};

/** The rows of such a commit, with nothing taken apart or looked up. */
const WRITE = `
  with logged as (
    insert into command_log (command_id, operation, request_hash, answer)
    values ($1::text, 'bench.event', repeat('0', 64), 'null')
  ), audited as (
    insert into audit_log (action_type, entity_type, entity_id, user_id, warehouse_id, details)
    values ('PACK', 'SO', $2::int, $3, 1, '{}')
  )
  insert into integration_events
    (event_type, aggregate_type, aggregate_external_id, entity_type, entity_id, warehouse_id, source_txn_id, command_id,
     payload)
  values ('pack.confirmed', 'sales_order', $4, 'sales_order', $2, 1, $5, $1, $6)`;
