import { setTimeout as pause } from "node:timers/promises";
import {
  type Connector,
  type Shipment,
  SourceAway,
  SourceError,
  SourceMisconfigured,
} from "../../../src/connectors/connector.js";
import { PUSH_ATTEMPTS, type PushActivities, type PushAttempted } from "../../../src/connectors/pushes/push.js";
import type { Push } from "../../../src/connectors/pushes/shapes.js";
import { connectorOf } from "../../../src/connectors/registry.js";
import type { Config } from "../../../src/platform/config/config.js";
import { int } from "../../../src/platform/db/columns.js";
import { databaseBusy, databaseUnavailable, db } from "../../../src/platform/db/db.js";
import { withHeartbeat } from "../../heartbeat.js";
import type { UnderLock } from "../../outbound/engine.js";
import { Circuit } from "../circuit.js";
import { type OpenSource, openSource, type SourceOptions } from "../source.js";
import { readPush, settlePush } from "./rows.js";

/** A worker that was killed during an attempt is missed after five times that. */
const HEARTBEAT_MS = 2_000;
const LOOK_EVERY_MS = 1_000;

export const pushActivities = (config: Config<"worker">, underLock: UnderLock): PushActivities => ({
  pushShipment: (pushId, attempt) =>
    withHeartbeat(HEARTBEAT_MS, async (cancelled) => {
      if (!config.dispatcherEnabled) return { ended: "disabled", why: null };
      return underLock("push", pushId, (lost) =>
        pushShipment(pushId, attempt, config, AbortSignal.any([cancelled, lost])),
      );
    }),
});

/**
 * Makes one attempt. That of a killed worker is made again, so connectors look whether the source has the fulfilment
 * already. Used only under the lock of the push: two at once would both find that the source lacks it.
 * @param signal Ends it at once.
 */
async function pushShipment(
  pushId: number,
  attempt: number,
  config: Config<"worker">,
  signal: AbortSignal,
): Promise<PushAttempted> {
  for (;;) {
    signal.throwIfAborted();
    const push = await readPush(pushId);
    if (push.status !== "pending") return { ended: push.status, why: push.last_error };
    const why = nothingToPush(push);
    if (why) return settlePush(push, { status: "skipped", why });
    const alone = push.overdue ? undefined : await leftAlone(push, config);
    if (alone) {
      await noteWait(pushId, alone.message);
      return { why: alone.message, wait_ms: waitOf(push, alone.wait_ms, config), waits: true };
    }
    const attempts = await beginAttempt(pushId);
    if (attempts === undefined) {
      await pause(LOOK_EVERY_MS, undefined, { signal });
      continue;
    }
    const told = await tellSource(push, config, signal);
    const begun = { ...push, attempts };
    if ("external_id" in told) return settlePush(begun, { status: "pushed", ...told });
    const { why: said, away, misconfigured } = told;
    if (away && !push.overdue) {
      const wait = waitOf(begun, away.wait_ms, config);
      return settlePush(begun, { status: "pending", why: said, waits: true }, wait);
    }
    if (away || misconfigured || attempt >= PUSH_ATTEMPTS) return settlePush(begun, { status: "failed", why: said });
    return settlePush(begun, { status: "pending", why: said }, config.connectorRetryDelayMs);
  }
}

/**
 * An attempt counts before anything is sent, because what a killed worker had begun may have reached the source. Gives
 * its number; undefined where the push has ended, or a worker of 0.3.0, which knows no lock, makes an attempt: it says
 * so in `claimed_until`, which the release after 1.0 drops.
 */
async function beginAttempt(pushId: number): Promise<number | undefined> {
  const begun = await db.row(
    { attempts: int },
    `update fulfillment_pushes set attempts = attempts + 1, updated_at = now()
     where push_id = $1 and status = 'pending' and coalesce(claimed_until <= now(), true) returning attempts`,
    [pushId],
  );
  return begun?.attempts;
}

/** Why its source is not to be asked now; undefined where it may be. */
async function leftAlone({ connector_name, warehouse_id }: Push, config: Config<"worker">) {
  const { connectorCircuitOpenMs: openMs, connectorHttpTimeoutMs: requestMs } = config;
  const circuit = await Circuit.of(db, connector_name, warehouse_id, { openMs, requestMs });
  return circuit.check().catch((error: unknown) => {
    if (error instanceof SourceAway) return error;
    throw error;
  });
}

/** The most that the wait grows to, as a power of two: a quarter of an hour with the usual delay. */
const DOUBLINGS = 5;

/** What the source asks for, or longer each time; and some more at random, so that not all come at once. */
const waitOf = ({ attempts }: Push, asked: number | null, { connectorRetryDelayMs }: Config<"worker">): number =>
  Math.round(
    (asked ?? connectorRetryDelayMs * 2 ** Math.min(Math.max(attempts - 1, 0), DOUBLINGS)) +
      Math.random() * connectorRetryDelayMs,
  );

const noteWait = (pushId: number, why: string) =>
  db.run(
    "update fulfillment_pushes set last_error = $2, updated_at = now() where push_id = $1 and status = 'pending'",
    [pushId, why],
  );

/** Why there is nothing to push; undefined where there is. */
function nothingToPush({ kind, attempts, is_void, shipment_status, connector_name }: Push): string | undefined {
  if (kind === "ship") return is_void && attempts === 0 ? "The shipment was voided before it was pushed" : undefined;
  if (shipment_status !== "pushed") return "The shipment itself was never pushed";
  const connector = connectorOf(connector_name);
  return connector && !connector.voidFulfillment ? `${connector_name} cannot take back what was pushed` : undefined;
}

/** What the source said: the id of the fulfilment, or why it was not told. */
type Told = { external_id: string | null } | NotTold;

interface NotTold {
  why: string;
  /** Of a source that cannot be asked now: after how long it may be, in ms; null where nobody knows. */
  away?: { wait_ms: number | null };
  /** The configuration is at fault: told again, it would say the same. */
  misconfigured?: boolean;
}

const LONGEST_ID = 255;
const LONGEST_REASON = 500;

/**
 * Tells the source of a shipment or of its void. A failure is a text for people; thrown is only what says nothing of
 * the source: this process stops, or the database is away.
 */
async function tellSource(push: Push, options: SourceOptions, signal: AbortSignal): Promise<Told> {
  let cleaned = (text: string) => text;
  try {
    const connector = connectorOf(push.connector_name);
    if (!connector?.pushFulfillment)
      throw new SourceError(`This worker has no connector ${push.connector_name} that can be told of shipments`);
    const source = await openSource(connector, push.warehouse_id, options, signal);
    cleaned = source.cleaned;
    return { external_id: await tell(connector, source, push) };
  } catch (error) {
    if (signal.aborted || databaseUnavailable(error) || databaseBusy(error)) throw error;
    const said = error instanceof Error ? error.message : String(error);
    const why = error instanceof SourceError ? said : `The connector ${push.connector_name} failed: ${said}`;
    const away = error instanceof SourceAway && { away: { wait_ms: error.wait_ms } };
    const misconfigured = error instanceof SourceMisconfigured;
    return { why: cleaned(why).slice(0, LONGEST_REASON), ...away, misconfigured };
  }
}

async function tell(connector: Connector, source: OpenSource, push: Push): Promise<string | null> {
  const shipment = shipmentOf(push);
  if (push.kind === "void") {
    const { pushed_as } = push;
    await connector.voidFulfillment?.(source, { ...shipment, external_id: pushed_as });
    return pushed_as;
  }
  const pushed = await connector.pushFulfillment?.(source, shipment);
  return pushed?.external_id?.slice(0, LONGEST_ID) ?? null;
}

const shipmentOf = (push: Push): Shipment => ({
  order_id: push.source_order_id,
  so_number: push.so_number,
  order: push.source_payload,
  tracking_numbers: push.tracking_numbers,
  carrier: push.carrier,
  service_level: push.service_level,
  shipped_at: push.shipped_at,
  lines: push.lines,
  to_come: push.kind === "ship" ? push.to_come : [],
  part: push.part,
  complete: push.complete,
  others: push.others,
});
