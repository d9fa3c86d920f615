import { setMaxListeners } from "node:events";
import { z } from "zod";
import { CannotUnseal, type EncryptionKeys } from "../../../../src/auth/sealed.js";
import { TestEvent } from "../../../../src/outbound/webhooks/test-event.js";
import { withinTime } from "../../../../src/outbound/wire/time.js";
import { text } from "../../../../src/platform/db/columns.js";
import { db } from "../../../../src/platform/db/db.js";
import { log } from "../../../../src/platform/log.js";
import type { Changes } from "../../sending/changes.js";
import { UNSENT, WITHIN_MS } from "../../sending/test-outcome.js";
import type { SharedWire } from "../../sending/wire.js";
import { readSubscription } from "../subscription.js";
import { post, secretsOf } from "./post.js";
import { type Ended, withoutAttempt } from "./settle.js";

const Test = z.strictObject({ test_id: text, subscription_id: text, event: TestEvent });
type Test = z.infer<typeof Test>;

type Outcome = Pick<Ended, "http_status" | "error_kind" | "error_detail" | "response_time_ms">;

/**
 * Sends the test events that people ask for, each once and at once, also to paused subscriptions and beside their
 * senders: they have no place in the order of events.
 */
export function runTests(
  changes: Changes,
  { wire, keys, enabled }: { wire: SharedWire; keys: EncryptionKeys; enabled: boolean },
): { stop(): Promise<void> } {
  const underWay = new Set<Promise<void>>();
  const stopping = new AbortController();
  // Each test that is under way listens to it.
  setMaxListeners(0, stopping.signal);

  async function outcomeOf({ test_id, subscription_id, event }: Test): Promise<Outcome> {
    if (!enabled) return withoutAttempt("failed", "Sending is switched off (DISPATCHER_ENABLED)");
    const subscription = await readSubscription(subscription_id);
    if (!subscription || subscription.status === "revoked")
      return withoutAttempt("failed", "The subscription was revoked");
    try {
      const secrets = secretsOf(subscription, keys);
      const to = { url: subscription.delivery_url, secrets };
      const sent = await withinTime(WITHIN_MS, stopping.signal, (unwanted) =>
        post(wire, { messageId: `test_${test_id}`, event }, to, { unwanted }),
      );
      return sent ?? withoutAttempt("failed", UNSENT);
    } catch (error) {
      if (error instanceof CannotUnseal) return withoutAttempt("failed", error.message.slice(0, 512));
      throw error;
    }
  }

  async function look(): Promise<void> {
    try {
      const tests = await claimTests();
      await Promise.all(tests.map(async (test) => store(test.test_id, await outcomeOf(test))));
    } catch (err) {
      log.warn({ err }, "test event not sent");
    }
  }

  const unlisten = changes.onAny(() => {
    const looking = look().finally(() => underWay.delete(looking));
    underWay.add(looking);
  });
  return {
    /** Ends it after the attempts that are under way. */
    async stop() {
      unlisten();
      stopping.abort();
      await Promise.all(underWay);
    },
  };
}

const claimTests = () =>
  db.rows(
    Test,
    `update webhook_tests t set claimed_at = now()
     from (select test_id from webhook_tests where claimed_at is null and completed_at is null
           order by created_at for update skip locked) free
     where t.test_id = free.test_id returning t.test_id, t.subscription_id, t.event`,
  );

const store = (testId: string, { http_status, error_kind, error_detail, response_time_ms }: Outcome) =>
  db.run(
    `update webhook_tests
     set completed_at = now(), http_status = $2, error_kind = $3, error_detail = $4, response_time_ms = $5
     where test_id = $1 and completed_at is null`,
    [testId, http_status, error_kind, error_detail, response_time_ms],
  );
