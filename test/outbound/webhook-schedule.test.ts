import assert from "node:assert/strict";
import fc from "fast-check";
import { retryDelay } from "../../src/outbound/retry.js";
import { readConfig } from "../../src/platform/config/config.js";
import { RETRY_DELAYS_MS } from "../../src/platform/config/webhooks.js";
import { runSequencer } from "../../workers/sequencer.js";
import { db } from "../support/db.js";
import { emit, got, rowsOf, senderEnv, subscribe } from "../support/deliveries.js";
import { warehouse } from "../support/fixtures.js";
import { openService, type TestService } from "../support/service.js";
import { openSink } from "../support/sink.js";
import { until } from "../support/until.js";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

describe("the retry schedule of webhooks", () => {
  it("is the one that partners are told, unless it is configured otherwise", () => {
    assert.deepEqual(RETRY_DELAYS_MS, [
      ...[1 * SECOND, 4 * SECOND, 15 * SECOND, 60 * SECOND],
      ...[5 * MINUTE, 30 * MINUTE, 120 * MINUTE],
    ]);
    const url = "postgres://localhost/db";
    const { dispatcherRetryDelaysMs } = readConfig({ DATABASE_URL: url }, "migrate");
    assert.deepEqual(dispatcherRetryDelaysMs, RETRY_DELAYS_MS);
  });

  it("waits ten percent more or less, and never under a second", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 7 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, random) => {
        const delay = RETRY_DELAYS_MS[attempt - 1] as number;
        const wait = retryDelay(attempt, RETRY_DELAYS_MS, random);
        assert.ok(wait >= Math.max(1_000, 0.9 * delay - 1) && wait <= 1.1 * delay + 1);
      }),
    );
    assert.equal(retryDelay(2, RETRY_DELAYS_MS, 0), 3_600);
    assert.equal(retryDelay(2, RETRY_DELAYS_MS, 1), 4_400);
  });

  it("waits longer where the receiver asks for it, up to its own longest delay, and never shorter", () => {
    assert.equal(retryDelay(1, RETRY_DELAYS_MS, 0.5, 30 * SECOND), 30 * SECOND);
    assert.equal(retryDelay(4, RETRY_DELAYS_MS, 0.5, 30 * SECOND), MINUTE);
    assert.equal(retryDelay(1, RETRY_DELAYS_MS, 0.5, 24 * 60 * MINUTE), 120 * MINUTE);
    assert.equal(retryDelay(1, RETRY_DELAYS_MS, 0.5, 0), 1 * SECOND);
  });

  describe("as it is by default", () => {
    let service: TestService;
    let sequencer: { stop: () => Promise<void> };
    before(async () => {
      const { DISPATCHER_RETRY_DELAYS_MS, ...env } = senderEnv;
      service = await openService({ worker: true, env });
      sequencer = runSequencer();
    });
    after(async () => {
      await sequencer.stop();
      await service.close();
    });

    it("takes its first steps after 1 and 4 seconds", async () => {
      const sink = await openSink();
      sink.answerNext(500, 500);
      const { subscription_id } = await subscribe(service.admin, sink.url);
      await emit(await warehouse());
      await got(sink, 3, 20_000);
      await until(async () => (await rowsOf(subscription_id)).at(-1)?.status === "succeeded");
      const [first, second, third] = await rowsOf(subscription_id);
      assert.equal(first?.attempt_number, 1);
      const planned = await db.rows<{ ms: number }>(
        `select (extract(epoch from scheduled_at - created_at) * 1000)::int as ms from webhook_deliveries
         where subscription_id = $1 and attempt_number > 1 order by delivery_id`,
        [subscription_id],
      );
      for (const [i, delay] of [1_000, 4_000].entries()) {
        const wait = [second, third][i]?.wait_ms as number;
        assert.ok(wait >= 0.9 * delay && wait >= 1_000, `${wait} ms is too soon`);
        // How late it comes is up to the machine; when it was to come is not.
        assert.ok((planned[i]?.ms as number) <= 1.1 * delay, "planned too late");
      }
      await service.admin.ok("DELETE", `/api/admin/webhooks/${subscription_id}`);
      await sink.stop();
    });

    it("heeds Retry-After", async () => {
      const sink = await openSink();
      sink.answerNext({ status: 429, retryAfter: "3" });
      const { subscription_id } = await subscribe(service.admin, sink.url);
      await emit(await warehouse());
      await got(sink, 2, 20_000);
      await until(async () => (await rowsOf(subscription_id)).at(-1)?.status === "succeeded");
      const [, second] = await rowsOf(subscription_id);
      assert.ok((second?.wait_ms as number) >= 2_900, `${second?.wait_ms} ms is sooner than it asked for`);
      await service.admin.ok("DELETE", `/api/admin/webhooks/${subscription_id}`);
      await sink.stop();
    });
  });
});
