import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { bodyOf, type Wire } from "../../src/outbound/wire/send.js";
import { openRawServer } from "../support/raw-server.js";
import { type Answer, openSink, type Sink } from "../support/sink.js";
import { until } from "../support/until.js";
import { envelope, localWire, OLD_SECRET, SECRET, signed } from "../support/wire.js";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

describe("an attempt", () => {
  let sink: Sink;
  let wire: Wire;
  beforeEach(async () => {
    sink = await openSink();
    wire = localWire();
  });
  afterEach(async () => {
    wire.close();
    await sink.stop();
  });
  const post = (path = "/hook", headers = {}) => {
    const event = signed();
    return wire.send({ url: `${sink.url}${path}`, body: event.body, headers: { ...event.headers, ...headers } });
  };

  it("sends the bytes that were signed, and nothing that the contract does not name", async () => {
    const { response_time_ms, ...outcome } = await post("/hook?of=us");
    assert.deepEqual(outcome, {
      ok: true,
      http_status: 200,
      error_kind: null,
      error_detail: null,
      response_body_hash: sha256(""),
    });
    assert(Number.isInteger(response_time_ms) && response_time_ms >= 0);
    const [request] = sink.received;
    assert(request);
    assert.equal(request.path, "/hook?of=us");
    assert.deepEqual(request.body, bodyOf(envelope()));
    assert.deepEqual(Object.keys(request.headers).sort(), [
      "connection",
      "content-length",
      "content-type",
      "host",
      "user-agent",
      "webhook-id",
      "webhook-signature",
      "webhook-timestamp",
      "x-service-delivery-id",
      "x-service-event-type",
      "x-service-signature",
      "x-service-signature-generation",
      "x-service-timestamp",
    ]);
    assert(sink.verifies(request, SECRET));
    assert(!sink.verifies(request, OLD_SECRET));
    request.body[0] = 0;
    assert(!sink.verifies(request, SECRET));
  });

  it("says who asks when the URL does", async () => {
    const url = new URL(sink.url);
    url.username = "w e";
    url.password = "ü:x";
    await wire.send({ url: url.href, ...signed() });
    const { authorization } = sink.received[0]?.headers ?? {};
    assert.equal(authorization, `Basic ${btoa("w e:Ã¼:x")}`);
  });

  it("is a success by any 2xx, and by nothing else", async () => {
    for (const status of [200, 201, 202, 204, 299]) {
      sink.answerNext(status);
      assert.equal((await post()).ok, true);
    }
    const kinds: [Answer, string][] = [
      [400, "4xx"],
      [401, "4xx"],
      [404, "4xx"],
      [410, "4xx"],
      [429, "4xx"],
      [500, "5xx"],
      [503, "5xx"],
      [599, "5xx"],
      [300, "redirected"],
      [304, "redirected"],
      [600, "unknown"],
    ];
    for (const [status, kind] of kinds) {
      sink.answerNext(status);
      const { ok, http_status, error_kind, error_detail } = await post();
      assert.deepEqual([ok, http_status, error_kind, error_detail], [false, status, kind, `HTTP status ${status}`]);
    }
  });

  it("says how long the partner asks us to wait, in seconds or until a time", async () => {
    const waitOf = async (status: number, retryAfter: string) => {
      sink.answerNext({ status, retryAfter });
      return (await post()).retry_after_ms;
    };
    assert.equal(await waitOf(503, "120"), 120_000);
    assert.equal(await waitOf(429, "0"), 0);
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    const untilDate = (await waitOf(500, date)) as number;
    assert.ok(untilDate > 3_500_000 && untilDate <= 3_600_000, `${untilDate}`);
    assert.equal(await waitOf(503, new Date(0).toUTCString()), 0);
    assert.equal(await waitOf(503, "soon"), undefined);
    assert.equal(await waitOf(200, "120"), undefined);
  });

  it("follows no redirect", async () => {
    const elsewhere = await openSink();
    sink.answerNext({ redirect: elsewhere.url });
    const { http_status, error_kind } = await post();
    assert.deepEqual([http_status, error_kind], [302, "redirected"]);
    assert.equal(elsewhere.connections, 0);
    await elsewhere.stop();
  });

  it("lets nobody write further headers into it", async () => {
    for (const evil of ["a\r\nX-Evil: 1", "a\nX-Evil: 1", "a\0", "日本"]) {
      const outcome = await post("/hook", { "X-Service-Event-Type": evil });
      assert.equal(outcome.ok, false);
      assert.equal(outcome.error_kind, "unknown");
      assert.equal((await post("/hook", { [evil]: "1" })).ok, false);
    }
    assert.equal(sink.received.length, 0);
    await post("/hook\r\nX-Evil: 1\r\n\r\nPOST /other HTTP/1.1\r\n");
    assert.equal(sink.received.length, 1);
    assert.equal(sink.received[0]?.headers["x-evil"], undefined);
  });

  it("never throws, whatever the URL is", async () => {
    const no = ["", "nonsense", "http://", "ftp://a/", "http://a:99999/"];
    for (const url of [...no, "http://%ff:%ff@127.0.0.1/"])
      assert.equal((await wire.send({ url, ...signed() })).ok, false, url);
  });

  it("ends when it is told to, before it began and while it waits", async () => {
    sink.usual = "stall";
    const told = new AbortController();
    const { signal } = told;
    const waiting = wire.send({ url: sink.url, ...signed(), signal });
    await until(() => sink.received.length === 1);
    told.abort();
    for (const outcome of [await waiting, await wire.send({ url: sink.url, ...signed(), signal })])
      assert.deepEqual([outcome.ok, outcome.error_detail], [false, "The sender was stopped"]);
    assert.equal(sink.received.length, 1);
  });

  it("goes by the connection of the one before it", async () => {
    for (let i = 0; i < 50; i++) assert.equal((await post()).ok, true);
    assert.equal(sink.connections, 1);
    await Promise.all(Array.from({ length: 8 }, () => post()));
    assert(sink.connections <= 9);
  });

  it("succeeds at once after the partner's server came back", async () => {
    for (let i = 0; i < 5; i++) {
      assert.equal((await post()).ok, true);
      await sink.stop();
      await sink.start();
    }
    assert.equal((await post()).ok, true);
    assert.equal(sink.received.length, 6);
  });

  it("is one attempt when the partner's server stays away", async () => {
    await post();
    await sink.stop();
    const { error_kind, error_detail } = await post();
    assert.equal(error_kind, "connection");
    assert.match(`${error_detail}`, /ECONNREFUSED/);
  });
});

describe("a connection that was kept and is dead", () => {
  const alive = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
  const sendTwice = async (url: string) => {
    const wire = localWire();
    const outcomes = [];
    for (let i = 0; i < 2; i++) outcomes.push((await wire.send({ url, ...signed() })).error_kind);
    wire.close();
    return outcomes;
  };

  for (const way of ["destroy", "resetAndDestroy"] as const) {
    it(`is replaced once, at once, and not counted (${way})`, async () => {
      const raw = await openRawServer((socket, nth) => {
        if (nth === 2) socket[way]();
        else socket.write(alive);
      });
      assert.deepEqual(await sendTwice(`http://${raw.host}`), [null, null]);
      assert.deepEqual([raw.requests.length, raw.connections], [3, 2]);
      await raw.close();
    });

    it(`is replaced no second time (${way})`, async () => {
      const raw = await openRawServer((socket, nth) => {
        if (nth > 1) socket[way]();
        else socket.write(alive);
      });
      assert.deepEqual(await sendTwice(`http://${raw.host}`), [null, "connection"]);
      assert.deepEqual([raw.requests.length, raw.connections], [3, 2]);
      await raw.close();
    });

    it(`is a failure when it was opened for this attempt (${way})`, async () => {
      const raw = await openRawServer((socket) => socket[way]());
      assert.deepEqual(await sendTwice(`http://${raw.host}`), ["connection", "connection"]);
      assert.equal(raw.requests.length, 2);
      await raw.close();
    });
  }

  it("is a failure when the answer had begun", async () => {
    const raw = await openRawServer((socket, nth) => {
      if (nth === 1) socket.write(alive);
      else socket.end("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf");
    });
    assert.deepEqual(await sendTwice(`http://${raw.host}`), [null, "connection"]);
    assert.equal(raw.requests.length, 2);
    await raw.close();
  });
});
