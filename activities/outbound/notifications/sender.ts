import { setTimeout as pause } from "node:timers/promises";
import type { RetriedNotification } from "../../../src/outbound/notifications/delivery.js";
import type { Ends } from "../sending/changes.js";
import { attemptClaimed, type Posting } from "./attempt.js";
import { claimFirst, claimRetry } from "./claim.js";

/** A claim lasts longer than an attempt may. */
const CLAIM_MARGIN_MS = 10_000;
const LOOK_EVERY_MS = 1_000;

const claimMs = ({ timeoutMs }: Posting) => timeoutMs + CLAIM_MARGIN_MS;

/**
 * Makes the first attempts of the messages to a destination, one after the other, as long as there are any. Used only
 * under the destination's lock.
 * @param startRetry Starts the retry schedule of a message whose first attempt failed.
 */
export async function sendFirstAttempts(
  webhookId: number,
  posting: Posting,
  ends: Ends,
  startRetry: (retried: RetriedNotification) => Promise<void>,
): Promise<void> {
  for (;;) {
    ends.lost.throwIfAborted();
    if (ends.stop.aborted) return;
    const claimed = await claimFirst(webhookId, claimMs(posting));
    if (!claimed) return;
    if ("wait_ms" in claimed) {
      await pause(Math.min(claimed.wait_ms, LOOK_EVERY_MS), undefined, { signal: ends.stop }).catch(() => {});
      continue;
    }
    const { notification_id, event_type } = claimed;
    const { next } = await attemptClaimed(claimed, posting, ends);
    if (next) await startRetry({ notification_id, webhook_id: webhookId, event_type });
  }
}

/** Makes the next attempt of a message if it is due, else says when it will be. Used only under the message's lock. */
export async function retryNotification(retried: RetriedNotification, posting: Posting, ends: Ends) {
  const found = await claimRetry(retried, claimMs(posting));
  return "claimed" in found ? attemptClaimed(found.claimed, posting, ends) : found;
}
