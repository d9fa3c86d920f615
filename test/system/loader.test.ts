import assert from "node:assert/strict";
import { loader } from "../../src/concurrency/loader.js";

describe("reading in batches", () => {
  /** A store that answers when it is told to, and what it was asked. */
  function store() {
    const asked: { keys: string[]; answer: (error?: Error) => void }[] = [];
    let version = 0;
    const read = loader<string, string>(
      (keys) =>
        new Promise((resolve, reject) =>
          asked.push({
            keys,
            answer: (error) => (error ? reject(error) : resolve(new Map(keys.map((key) => [key, `${key}${version}`])))),
          }),
        ),
    );
    return { asked, read, change: () => version++ };
  }
  const turn = () => new Promise(setImmediate);

  it("asks once for all who want something at the same time", async () => {
    const { asked, read } = store();
    const got = Promise.all(["a", "b", "a"].map(read));
    await turn();
    assert.deepEqual(
      asked.map(({ keys }) => keys),
      [["a", "b"]],
    );
    asked[0]?.answer();
    assert.deepEqual(await got, ["a0", "b0", "a0"]);
  });

  it("lets who comes while it asks wait for the next answer", async () => {
    const { asked, read, change } = store();
    const first = read("a");
    await turn();
    change();
    const later = [read("a"), read("b")];
    await turn();
    assert.equal(asked.length, 1);
    asked[0]?.answer();
    await first;
    await turn();
    assert.deepEqual(asked[1]?.keys, ["a", "b"]);
    asked[1]?.answer();
    assert.deepEqual(await Promise.all(later), ["a1", "b1"]);
  });

  it("fails for those who were part of a failure, and for nobody after them", async () => {
    const { asked, read } = store();
    const failed = assert.rejects(read("a"), /gone/);
    await turn();
    const later = read("b");
    asked[0]?.answer(new Error("gone"));
    await failed;
    await turn();
    asked[1]?.answer();
    assert.equal(await later, "b0");
  });

  it("goes on without an answer that never comes", async () => {
    const { asked, read } = store();
    void read("a");
    await turn();
    const later = read("b");
    while (asked.length < 2) await turn();
    asked[1]?.answer();
    assert.equal(await later, "b0");
  });
});
