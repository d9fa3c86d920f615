import type { Client } from "@temporalio/client";
import { takeUpPushes, writePushes } from "../activities/connectors/pushes/write.js";
import { collectAvailability } from "../activities/outbound/channels/collect.js";
import { capabilitiesOf } from "../src/connectors/connector.js";
import { connectors } from "../src/connectors/registry.js";
import type { Config } from "../src/platform/config/config.js";
import { startPush } from "./reconcile.js";
import { repeating } from "./repeating.js";

const LOOK_EVERY_MS = 1_000;

/**
 * Writes what shops are to be told of shipments, and starts the workflows that tell them, until stopped. While nothing
 * is sent (DISPATCHER_ENABLED), the pushes wait; while Temporal is away, the job `reconcile` starts them later.
 */
export function runPushes(
  client: Client,
  { temporalTaskQueue, dispatcherEnabled }: Pick<Config, "temporalTaskQueue" | "dispatcherEnabled">,
  lookEveryMs = LOOK_EVERY_MS,
): { stop: () => Promise<void> } {
  const told = connectors().filter((connector) => capabilitiesOf(connector).includes("push_fulfillment"));
  const names = told.map(({ name }) => name);
  return repeating(
    "pushing of shipments",
    async () => {
      while (await writePushes(names));
      if (!dispatcherEnabled) return;
      for (const push of await takeUpPushes()) await startPush(client, temporalTaskQueue, push);
    },
    lookEveryMs,
  );
}

/** The longest that changed availability waits before it is marked for the channels. */
const COLLECT_EVERY_MS = 200;

/** Marks what channels are to be told of changed availability, until stopped; also while nothing is sent to them. */
export const runAvailability = (): { stop: () => Promise<void> } =>
  repeating(
    "marking of changed availability",
    async () => {
      while (await collectAvailability());
    },
    COLLECT_EVERY_MS,
  );
