import { setMaxListeners } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { NotificationActivities, RetriedNotification } from "../../../src/outbound/notifications/delivery.js";
import type { Config } from "../../../src/platform/config/config.js";
import { log } from "../../../src/platform/log.js";
import { withHeartbeat } from "../../heartbeat.js";
import type { SharedWire } from "../sending/wire.js";
import { attemptClaimed, type Claimed, type Posting } from "./attempt.js";
import { claimFirst, claimRetry } from "./claim.js";
import { writeNotifications } from "./write.js";

const LOOK_EVERY_MS = 1_000;
/** A worker that was killed during a later attempt is missed after five times that. */
const HEARTBEAT_MS = 2_000;
/** A claim lasts longer than an attempt may. */
const CLAIM_MARGIN_MS = 10_000;

/** What tells people of events. */
export interface RunningNotifier {
  activities: NotificationActivities;
  /** Ends it after the attempts that are under way. */
  stop(): Promise<void>;
}

/**
 * Writes the messages of new events and makes the first attempt of each, without Temporal as long as that succeeds.
 * @param startRetry Starts the retry schedule of a message whose first attempt failed.
 */
export function runNotifier(
  config: Config<"worker">,
  wire: SharedWire,
  startRetry: (retried: RetriedNotification) => Promise<void>,
): RunningNotifier {
  const { panelUrl, dispatcherRetryDelaysMs: retryDelaysMs } = config;
  const stopping = new AbortController();
  const { signal } = stopping;
  // Each message that waits for its host listens to it.
  setMaxListeners(0, signal);
  const posting: Posting = { wire, keys: config, panelUrl, retryDelaysMs, stop: signal };
  const claimMs = config.dispatcherHttpTimeoutMs + CLAIM_MARGIN_MS;
  /** The destinations that a message is being sent to. */
  const underWay = new Map<number, Promise<void>>();
  let wake = () => {};

  async function send(claimed: Claimed): Promise<void> {
    const { notification_id, webhook_id, event_type } = claimed;
    try {
      const { next } = await attemptClaimed(claimed, posting);
      if (next) await startRetry({ notification_id, webhook_id, event_type });
    } catch (err) {
      log.warn({ err, notification_id }, "notification not sent, it is tried again when its claim ends");
    }
  }

  function begin(claimed: Claimed): void {
    const { webhook_id } = claimed;
    const sent = send(claimed).then(() => {
      underWay.delete(webhook_id);
      wake();
    });
    underWay.set(webhook_id, sent);
  }

  async function work(): Promise<void> {
    while (!signal.aborted) {
      // What ends during a look may have made room for more.
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      try {
        while (!signal.aborted && (await writeNotifications())) {}
        for (const claimed of await claimFirst([...underWay.keys()], claimMs)) begin(claimed);
      } catch (err) {
        log.warn({ err }, "notifications not looked for, trying again");
      }
      const timer = new AbortController();
      const look = pause(LOOK_EVERY_MS, undefined, { signal: AbortSignal.any([signal, timer.signal]) });
      await Promise.race([woken, look.catch(() => {})]);
      timer.abort();
    }
    await Promise.all(underWay.values());
  }
  const working = config.dispatcherEnabled ? work() : undefined;

  return {
    activities: {
      attemptNotification: (retried) =>
        withHeartbeat(HEARTBEAT_MS, async () => {
          if (!config.dispatcherEnabled) return { ended: "disabled" };
          const found = await claimRetry(retried, claimMs);
          return "claimed" in found ? attemptClaimed(found.claimed, posting) : found;
        }),
    },
    stop: async () => {
      stopping.abort();
      await working;
    },
  };
}
