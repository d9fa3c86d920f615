import assert from "node:assert/strict";
import { queued } from "../../src/auth/password-queue.js";
import { semaphore } from "../../src/platform/concurrency/semaphore.js";

describe("the queue for passwords", () => {
  /** Takes places for these, which are held until they are let go. */
  function hold(...whose: string[]) {
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const done = Promise.all(whose.map((who) => queued(who, () => held)));
    return async () => {
      letGo();
      await done;
    };
  }
  const asMany = <T>(length: number, make: (i: number) => T) => Array.from({ length }, (_, i) => make(i));
  const busy = (who: string) =>
    assert.rejects(
      queued(who, async () => {}),
      { kind: "too_many_requests", status: 429, retryAfter: 1 },
    );
  const served = async (who: string) => assert.equal(await queued(who, async () => "done"), "done");

  it("has sixteen places for one, and others beside them", async () => {
    const release = hold(...asMany(16, () => "one"));
    await busy("one");
    await served("another");
    await release();
    await served("one");
  });

  it("has 64 places in all", async () => {
    const release = hold(...asMany(64, (i) => `attacker ${i}`));
    await busy("another");
    await release();
    await served("another");
  });

  it("gives a place back also when the work fails", async () => {
    for (let i = 0; i < 20; i++)
      await assert.rejects(
        queued("one", () => Promise.reject(new Error("wrong"))),
        /wrong/,
      );
    await served("one");
  });

  it("lets so many work at a time, in the order of asking", async () => {
    const slot = semaphore(2);
    let working = 0;
    let most = 0;
    const begun: number[] = [];
    await Promise.allSettled(
      asMany(9, (i) =>
        slot(async () => {
          begun.push(i);
          most = Math.max(most, ++working);
          await new Promise(setImmediate);
          working--;
          if (i % 3 === 0) throw new Error("failed");
        }),
      ),
    );
    assert.equal(most, 2);
    assert.deepEqual(begun, [...begun.keys()]);
  });
});
