import assert from "node:assert/strict";
import { sequenceAll } from "../../activities/outbound/sequencer.js";
import { closeLive, openLive } from "../../api/system/live-feed.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { bin, item, stock, warehouse } from "../support/fixtures.js";
import { person, sessionsOf } from "../support/people.js";
import { pluck } from "../support/pluck.js";
import { openService, type TestService } from "../support/service.js";
import { until } from "../support/until.js";

interface Told {
  event: string;
  id: number;
  data: Record<string, unknown>;
}

describe("the stream of what happens", () => {
  let service: TestService;
  let here: number;
  let there: number;
  const open: AbortController[] = [];
  before(async () => {
    service = await openService();
    [here, there] = [await warehouse(), await warehouse()];
  });
  afterEach(() => {
    for (const stream of open.splice(0)) stream.abort();
  });
  after(() => service.close());

  /** Opens a stream and gathers what it tells. */
  async function listen(caller: Caller, path = "/api/admin/live", headers: Record<string, string> = {}) {
    const stream = new AbortController();
    open.push(stream);
    const response = await fetch(service.url + path, {
      headers: { ...caller.headers, accept: "text/event-stream", ...headers },
      signal: stream.signal,
    });
    assert.equal(response.status, 200);
    assert.match(response.headers.get("content-type") ?? "", /^text\/event-stream/);
    const told: Told[] = [];
    let hasEnded = false;
    const read = async () => {
      let text = "";
      for await (const piece of (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
        text += piece;
        const messages = text.split("\n\n");
        text = messages.pop() ?? "";
        for (const message of messages) {
          const fields = Object.fromEntries(message.split("\n").map((line) => line.split(/: (.*)/s)));
          if (fields.event === "ready") isReady = true;
          else if (fields.event)
            told.push({ event: fields.event, id: Number(fields.id), data: JSON.parse(fields.data) });
        }
      }
    };
    let isReady = false;
    void read()
      .catch(() => {})
      .finally(() => {
        hasEnded = true;
      });
    await until(() => isReady);
    return { told, ended: () => hasEnded, close: () => stream.abort() };
  }

  /** Something that emits an event in a warehouse. */
  async function adjust(warehouse_id: number): Promise<void> {
    const [bin_id, { item_id }] = [await bin(warehouse_id), await item()];
    await stock(warehouse_id, bin_id, item_id, 5);
    const change = { item_id, bin_id, warehouse_id, adjustment_type: "ADD", quantity: 1, reason: "found behind" };
    await service.admin.ok("POST", "/api/admin/adjustments/direct", change);
    await sequenceAll();
  }

  it("tells of events in the user's warehouses, and names the record only to whom the page was granted", async () => {
    const clerk = await listen(await service.user({ warehouse_ids: [here], page_keys: ["inventory"] }));
    const picker = await listen(await service.user({ warehouse_ids: [here] }));
    const stranger = await listen(await service.user({ warehouse_ids: [there] }));
    const admin = await listen(service.admin);
    await adjust(here);
    await adjust(there);
    await until(() => admin.told.length === 2 && stranger.told.length === 1);
    await until(() => clerk.told.length === 1 && picker.told.length === 1);
    const told = clerk.told[0] as Told;
    assert.deepEqual(told.data, admin.told[0]?.data);
    assert.deepEqual(Object.keys(told.data).sort(), [
      ...["aggregate_id", "aggregate_type", "event_id", "event_type", "warehouse_id"],
    ]);
    assert.equal(told.data.event_type, "inventoryadjusted.completed");
    assert.equal(told.id, told.data.event_id);
    assert.deepEqual(picker.told[0]?.data, { ...told.data, aggregate_id: null });
    assert.equal(stranger.told[0]?.data.warehouse_id, there);
  });

  it("goes on after the event that was heard last, by header or by parameter", async () => {
    const first = await listen(service.admin);
    await adjust(here);
    await until(() => first.told.length === 1);
    first.close();
    await adjust(here);
    await adjust(here);
    const last = first.told[0]?.id ?? 0;
    for (const again of [
      await listen(service.admin, "/api/admin/live", { "last-event-id": `${last}` }),
      await listen(service.admin, `/api/admin/live?after=${last}`),
    ]) {
      await until(() => again.told.length === 2);
      assert.deepEqual(pluck(again.told, "id"), [last + 1, last + 2]);
    }
  });

  it("says to start anew when it cannot go on where the reader was", async () => {
    const ahead = await listen(service.admin, "/api/admin/live?after=2000000000");
    await until(() => ahead.told.length === 1);
    assert.equal(ahead.told[0]?.event, "reset");
  });

  it("is open ten times at most of each user, also where all are opened at once", async () => {
    const user = await service.user({ warehouse_ids: [here] });
    const gone = new AbortController();
    const headers = { ...user.headers, accept: "text/event-stream" };
    const answers = await Promise.all(
      Array.from({ length: 40 }, () =>
        fetch(`${service.url}/api/admin/live?after=1`, { headers, signal: gone.signal }),
      ),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 10);
    assert.equal(answers.filter(({ status }) => status === 429).length, 30);
    gone.abort();
    await until(() => listen(user).then(Boolean, () => false));
  });

  it("tells nothing more of a warehouse that was taken from the user", async () => {
    const user = await service.user({ warehouse_ids: [here, there] });
    const [stream, admin] = [await listen(user), await listen(service.admin)];
    await adjust(there);
    await until(() => stream.told.length === 1);
    await service.admin.ok("PUT", `/api/admin/users/${user.userId}`, { warehouse_ids: [here] });
    await adjust(there);
    await adjust(here);
    await until(() => stream.told.length === 2 && admin.told.length === 3);
    assert.deepEqual(
      stream.told.map(({ data }) => data.warehouse_id),
      [there, here],
    );
  });

  it("is for readers that ask for a stream, ten at most of each user", async () => {
    const refused = await service.admin.get("/api/admin/live");
    assert.deepEqual([refused.status, refused.code], [406, "stream_not_accepted"]);
    const user = await service.user();
    const streams = [];
    for (let n = 0; n < 10; n++) streams.push(await listen(user));
    const eleventh = await user.with({ accept: "text/event-stream" }).get("/api/admin/live");
    assert.deepEqual([eleventh.status, eleventh.code], [429, "too_many_streams"]);
    streams[0]?.close();
    await until(async () => {
      try {
        await listen(user);
        return true;
      } catch {
        return false;
      }
    });
  });

  it("ends with the session, and follows what the user may see", async () => {
    await closeLive();
    openLive(service.config.databaseUrl, 20);
    const { username, user_id } = await person({ role: "USER", warehouse_ids: [here] });
    const { caller, csrf } = await sessionsOf(() => service).browser(username);
    const stream = await listen(caller);
    await db.run("update users set warehouse_ids = array[$2::int], warehouse_id = $2 where user_id = $1", [
      ...[user_id, there],
    ]);
    await until(async () => {
      await adjust(there);
      return stream.told.length > 0;
    });
    assert.equal(stream.told[0]?.data.warehouse_id, there);
    await caller.with({ "x-csrf-token": csrf }).post("/api/auth/logout");
    await until(stream.ended);
  });

  it("needs a session", async () => {
    assert.equal((await service.anyone.get("/api/admin/live")).status, 401);
  });
});
