import assert from "node:assert/strict";
import { createClient } from "../../client/src/client.js";
import { Refusal, Unreachable } from "../../client/src/refusal.js";
import { badNetwork, drop, json, type NetworkAnswer } from "../support/bad-network.js";
import { pluckAll } from "../support/pluck.js";

interface Routes {
  "/things/{id}": {
    get: { path: { id: number }; query: { q?: string }; body: never; answer: { id: number } };
    post: { path: { id: number }; query: never; body: { name: string }; answer: { id: number } };
  };
}

describe("the client, over a bad network", () => {
  const network = badNetwork();
  const client = (options = {}) => {
    return createClient<Routes>({ baseUrl: network.url, firstWaitMs: 1, ...options });
  };
  const post = (options = {}) => client().post("/things/{id}", { path: { id: 7 }, body: { name: "mug" }, ...options });

  it("sends again when the connection breaks, under the same key", async () => {
    network.answers = [drop, drop];
    assert.deepEqual(await post(), { id: 7 });
    assert.equal(network.requests.length, 3);
    const [first, ...others] = network.requests;
    assert.match(first?.key ?? "", /^[0-9a-f]{32}$/);
    for (const other of others) assert.deepEqual(other, first);
  });

  it("has another key for each call, or the one that is given", async () => {
    await post();
    await post();
    await post({ idempotencyKey: "mine" });
    const keys = network.requests.map(({ key }) => key);
    assert.equal(new Set(keys).size, 3);
    assert.equal(keys[2], "mine");
  });

  it("sends again what a busy service or its proxy puts off", async () => {
    network.answers = [json(429, { error: "later" }, { "retry-after": "0" }), json(503, {}), json(502, {})];
    await client().get("/things/{id}", { path: { id: 7 }, query: { q: "a b" } });
    assert.deepEqual(
      pluckAll(network.requests, "method", "url", "key"),
      Array(4).fill(["GET", "/things/7?q=a+b", undefined]),
    );
  });

  it("gives up when it is told to wait too long, with that answer, and in the end where there is none", async () => {
    network.answers = Array(9).fill(
      json(503, { error: "Database busy", code: "database_busy" }, { "retry-after": "60" }),
    );
    await assert.rejects(post({ giveUpAfterMs: 50 }), (error: Refusal) => error.code === "database_busy");
    assert.equal(network.requests.length, 1);
    network.answers = Array(99).fill(drop);
    await assert.rejects(post({ giveUpAfterMs: 30 }), Unreachable);
  });

  it("gives up an attempt that is not answered, and makes the next", async () => {
    network.answers = [() => {}];
    assert.deepEqual(await post({ attemptMs: 100 }), { id: 7 });
  });

  it("stops at once when the caller does", async () => {
    for (const answer of [() => {}, json(503, {}, { "retry-after": "20" })] as NetworkAnswer[]) {
      network.answers = [answer];
      network.requests = [];
      const caller = new AbortController();
      const call = post({ signal: caller.signal });
      while (network.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
      caller.abort(new Error("left"));
      await assert.rejects(call, /left/);
      assert.equal(network.requests.length, 1);
    }
  });

  it("does not send again what was refused, and says why", async () => {
    network.answers = [json(400, { error: "Too many", code: "over_receipt", remaining: 3 })];
    await assert.rejects(post(), (error: Refusal) => {
      const { status, code, message, body } = error;
      assert.deepEqual([status, code, message, body.remaining], [400, "over_receipt", "Too many", 3]);
      return error instanceof Refusal;
    });
    network.answers = [json(400, { error: "validation_error", details: [{ loc: ["name"], msg: "is missing" }] })];
    await assert.rejects(post(), /name is missing/);
    assert.equal(network.requests.length, 2);
  });
});
