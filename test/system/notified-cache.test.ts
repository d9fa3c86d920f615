import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { NotifiedCache } from "../../src/platform/db/notified-cache.js";

describe("a cache that Postgres notifies", () => {
  /** A cache of one row, how often that was read, and the reading that is under way. */
  function cacheOf(keepMs = 60_000) {
    const cache = new NotifiedCache<string>();
    const state = { row: "first" as string | undefined, reads: 0 };
    const read = async () => {
      state.reads++;
      const value = state.row;
      await pause(1);
      return value === undefined ? undefined : { value, keepMs };
    };
    return { cache, state, get: () => cache.get("key", read) };
  }

  it("reads a row once, as long as it hears of changes", async () => {
    const { cache, state, get } = cacheOf();
    cache.connected();
    for (let i = 0; i < 3; i++) assert.equal(await get(), "first");
    assert.equal(state.reads, 1);
    assert.ok(cache.has("key"));
  });

  it("reads it again after a notification", async () => {
    const { cache, state, get } = cacheOf();
    cache.connected();
    await get();
    state.row = "second";
    cache.notified();
    assert.equal(await get(), "second");
  });

  it("keeps nothing before it is connected, nor after the connection was lost", async () => {
    const { cache, state, get } = cacheOf();
    await get();
    assert.equal(cache.has("key"), false);
    cache.connected();
    await get();
    cache.lost();
    assert.equal(cache.has("key"), false);
    state.row = "second";
    assert.equal(await get(), "second");
    assert.equal(cache.has("key"), false);
  });

  it("does not keep what was read before a change and arrives after it", async () => {
    const { cache, state, get } = cacheOf();
    cache.connected();
    const old = get();
    state.row = "second";
    cache.notified();
    assert.equal(await old, "first");
    assert.equal(await get(), "second");
  });

  it("does not keep a row that is not there", async () => {
    const { cache, state, get } = cacheOf();
    cache.connected();
    state.row = undefined;
    assert.equal(await get(), undefined);
    state.row = "there now";
    assert.equal(await get(), "there now");
  });

  it("keeps a row no longer than it was said", async () => {
    const { cache, state, get } = cacheOf(0);
    cache.connected();
    await get();
    state.row = "second";
    while ((await get()) === "first");
  });

  it("forgets when a change of this process ends, also when it fails", async () => {
    const { cache, get } = cacheOf();
    cache.connected();
    const changes = [async () => "done", () => Promise.reject(new Error("refused"))];
    for (const change of changes) {
      await get();
      await cache.invalidateAfter<unknown>(change()).catch(() => {});
      assert.equal(cache.has("key"), false);
    }
  });
});
