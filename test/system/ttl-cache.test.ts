import assert from "node:assert/strict";
import { singleFlight } from "../../src/platform/concurrency/ttl-cache.js";

describe("what is asked together", () => {
  /** Answers with the number of the question when told to. */
  function questions() {
    const answers: (() => void)[] = [];
    const refusals: ((error: Error) => void)[] = [];
    const ask = () =>
      new Promise<number>((resolve, reject) => {
        const number = answers.length + 1;
        answers.push(() => resolve(number));
        refusals.push(reject);
      });
    return { answers, refusals, ask };
  }

  it("is asked once more, for all who came while it was being asked", async () => {
    const { answers, ask } = questions();
    const asked = singleFlight<number>();
    const first = asked("a", ask);
    const others = [asked("a", ask), asked("a", ask)];
    assert.equal(answers.length, 1);
    answers[0]?.();
    assert.equal(await first, 1);
    answers[1]?.();
    assert.deepEqual(await Promise.all(others), [2, 2]);
    assert.equal(answers.length, 2);
  });

  it("is asked for each key by itself", async () => {
    const { answers, ask } = questions();
    const asked = singleFlight<number>();
    const both = [asked("a", ask), asked("b", ask)];
    for (const answer of answers) answer();
    assert.deepEqual(await Promise.all(both), [1, 2]);
  });

  it("is asked for those who wait also when the first question failed", async () => {
    const { answers, refusals, ask } = questions();
    const asked = singleFlight<number>();
    const first = asked("a", ask);
    const second = asked("a", ask);
    refusals[0]?.(new Error("lost"));
    await assert.rejects(first, /lost/);
    answers[1]?.();
    assert.equal(await second, 2);
  });
});
