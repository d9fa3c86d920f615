import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { Socket } from "node:net";
import { freePort } from "../../src/launcher/free-port.js";
import { authority, certificate, expired, key } from "../support/certificates.js";
import { openNameServer } from "../support/name-server.js";
import { openRawServer } from "../support/raw-server.js";
import { openSink } from "../support/sink.js";
import { localWire, READ_TIMEOUT_MS, signed, TOTAL_TIMEOUT_MS } from "../support/wire.js";

const CAP = 64 * 1024;
/** Found in no outcome. */
const WORDS = "words of the partner";

const ok = (headers: string, body = "") => `HTTP/1.1 200 ${WORDS}\r\n${headers}\r\n\r\n${body}`;
const chunked = (body: string) =>
  ok("Transfer-Encoding: chunked", `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
const says = (answer: string) => (socket: Socket) => void socket.write(answer);
/** Sends a byte now and then, for ever. */
const drips = (first: string, drop: string) => (socket: Socket) => {
  socket.write(first);
  const timer = setInterval(() => socket.write(drop), 50);
  socket.on("close", () => clearInterval(timer));
};

interface Misbehaviour {
  does: (socket: Socket) => void;
  kind: string | null;
  status: number | null;
  detail?: RegExp;
}

const partners: Record<string, Misbehaviour> = {
  "says nothing": {
    does: () => {},
    kind: "timeout",
    status: null,
    detail: new RegExp(`^No answer for ${READ_TIMEOUT_MS} ms$`),
  },
  "stops within the headers": { does: says("HTTP/1.1 200 OK\r\nX-A"), kind: "timeout", status: null },
  "stops within the body": {
    does: says(ok("Content-Length: 10", WORDS.slice(0, 4))),
    kind: "timeout",
    status: 200,
    detail: new RegExp(`^No more of the answer for ${READ_TIMEOUT_MS} ms$`),
  },
  "drips the body": {
    does: drips(ok("Transfer-Encoding: chunked"), "1\r\nx\r\n"),
    kind: "timeout",
    status: 200,
    detail: new RegExp(`^Not done within ${TOTAL_TIMEOUT_MS} ms`),
  },
  "drips the headers": { does: drips("HTTP/1.1 200 OK\r\n", "X-A: 1\r\n"), kind: "timeout", status: null },
  "hints for ever": { does: drips("", "HTTP/1.1 103 Early Hints\r\n\r\n"), kind: "timeout", status: null },
  "hangs up": { does: (socket) => socket.end(), kind: "connection", status: null, detail: /^The connection broke off/ },
  resets: { does: (socket) => socket.resetAndDestroy(), kind: "connection", status: null },
  "sends less than it announced": {
    does: (socket) => socket.end(ok("Content-Length: 99", WORDS)),
    kind: "connection",
    status: 200,
  },
  "breaks off between chunks": {
    does: (socket) => socket.end(ok("Transfer-Encoding: chunked", "4\r\nhalf\r\n")),
    kind: "connection",
    status: 200,
  },
  "sends more than it announced": { does: says(ok("Content-Length: 4", WORDS)), kind: null, status: 200 },
  "announces too much": {
    does: says(ok(`Content-Length: ${CAP + 1}`)),
    kind: "5xx",
    status: 200,
    detail: /^The answer announces 65537 bytes/,
  },
  "announces too much with a refusal": {
    does: says(ok(`Content-Length: ${CAP * 9}`).replace("200", "404")),
    kind: "5xx",
    status: 404,
  },
  "answers all it may": { does: says(ok(`Content-Length: ${CAP}`, "x".repeat(CAP))), kind: null, status: 200 },
  "answers without end, and announces nothing": {
    does: drips(ok("Transfer-Encoding: chunked", `${CAP.toString(16)}\r\n`), "x".repeat(CAP / 4)),
    kind: null,
    status: 200,
  },
  "refuses at length": { does: says(chunked("x".repeat(CAP * 2)).replace("200", "500")), kind: "5xx", status: 500 },
  "hints, then answers": {
    does: says(`HTTP/1.1 103 Early Hints\r\n\r\n${ok("Content-Length: 0")}`),
    kind: null,
    status: 200,
  },
  "answers until it hangs up": {
    does: (socket) => socket.end(ok("Connection: close", WORDS)),
    kind: null,
    status: 200,
  },
  "speaks no HTTP": {
    does: says(`220 ${WORDS} ESMTP\r\n`),
    kind: "unknown",
    status: null,
    detail: /^The answer is not HTTP/,
  },
  "sends headers without end": {
    does: (socket) => {
      const header = `X-A: ${"a".repeat(1_000)}\r\n`;
      socket.write(`HTTP/1.1 200 OK\r\n${header.repeat(100)}`);
    },
    kind: "unknown",
    status: null,
  },
  "changes the protocol": {
    does: says("HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"),
    kind: "connection",
    status: null,
  },
};

describe("a partner that", () => {
  for (const [name, { does, kind, status, detail }] of Object.entries(partners))
    it(`${name} is ${kind ? `a failure (${kind})` : "a success"}`, async () => {
      const raw = await openRawServer(does);
      const wire = localWire();
      const url = `http://${raw.host}/`;
      const outcome = await wire.send({ url, ...signed() });
      assert.deepEqual([outcome.ok, outcome.error_kind, outcome.http_status], [!kind, kind, status]);
      assert.match(`${outcome.error_detail}`, detail ?? /./);
      assert(!JSON.stringify(outcome).includes("words"));
      assert.equal(raw.requests.length, 1, "asked once");
      wire.close();
      await raw.close();
    });

  it("answers too much is read to 64 KB", async () => {
    const half = "x".repeat(CAP / 2);
    const raw = await openRawServer(says(chunked(half + half + half)));
    const wire = localWire();
    for (let i = 1; i <= 2; i++) {
      const { ok, response_body_hash } = await wire.send({ url: `http://${raw.host}/`, ...signed() });
      const hash = createHash("sha256").update(half + half);
      assert.deepEqual([ok, response_body_hash], [true, hash.digest("hex")]);
      assert.equal(raw.connections, i, "that connection is of no use any more");
    }
    await raw.close();
  });

  it("is not there is a failure (connection)", async () => {
    const url = `http://127.0.0.1:${await freePort()}/`;
    const outcome = await localWire().send({ url, ...signed() });
    assert.equal(outcome.error_kind, "connection");
    assert.equal(outcome.error_detail, "No connection (ECONNREFUSED)");
    assert.equal(outcome.response_body_hash, null);
  });
});

describe("TLS", () => {
  const trusting = localWire({ ca: authority });
  after(() => trusting.close());
  const post = (url: string, wire = trusting) => wire.send({ url, ...signed() });

  it("is spoken with a certificate that names the host, whatever its address", async () => {
    const names = await openNameServer(() => ["127.0.0.1"]);
    const sink = await openSink({ key, cert: certificate });
    const wire = localWire({ ca: authority, nameServers: [names.address] });
    const named = sink.url.replace("127.0.0.1", "partner.test");
    for (let i = 0; i < 3; i++) {
      assert.equal((await post(named, wire)).ok, true);
      assert.equal((await post(sink.url, wire)).ok, true);
    }
    assert.equal(sink.connections, 2, "one for each name");

    const other = sink.url.replace("127.0.0.1", "other.test");
    const outcome = await post(other, wire);
    assert.equal(outcome.error_kind, "tls");
    assert.match(`${outcome.error_detail}`, /ERR_TLS_CERT_ALTNAME_INVALID/);
    assert.equal(sink.received.length, 6);
    wire.close();
    names.close();
    await sink.stop();
  });

  it("fails when the certificate is of nobody that we trust", async () => {
    const sink = await openSink({ key, cert: certificate });
    const outcome = await post(sink.url, localWire());
    assert.equal(outcome.error_kind, "tls");
    assert.match(`${outcome.error_detail}`, /UNABLE_TO_VERIFY_LEAF_SIGNATURE/);
    assert.equal(sink.received.length, 0);
    await sink.stop();
  });

  it("fails when the certificate has expired", async () => {
    const sink = await openSink({ key, cert: expired });
    const outcome = await post(sink.url);
    assert.equal(outcome.error_kind, "tls");
    assert.match(`${outcome.error_detail}`, /CERT_HAS_EXPIRED/);
    assert.equal(sink.received.length, 0);
    await sink.stop();
  });

  it("fails when there is no common version", async () => {
    const old = { minVersion: "TLSv1.1", maxVersion: "TLSv1.1" } as const;
    const sink = await openSink({ key, cert: certificate, ...old });
    assert.equal((await post(sink.url)).error_kind, "tls");
    await sink.stop();
  });

  it("fails when the partner speaks plain HTTP, and the other way round", async () => {
    const plain = await openSink();
    const secure = await openSink({ key, cert: certificate });
    assert.equal((await post(plain.url.replace("http:", "https:"))).error_kind, "tls");
    const other = await post(secure.url.replace("https:", "http:"));
    assert.equal(other.ok, false);
    await Promise.all([plain.stop(), secure.stop()]);
  });

  it("that nobody answers is a connection that came too late", async () => {
    const silent = await openRawServer(() => {});
    const outcome = await post(`https://${silent.host}/`);
    assert.deepEqual([outcome.error_kind, outcome.error_detail], ["timeout", "No connection in time"]);
    assert.equal(silent.connections, 1);
    await silent.close();
  });

  it("on a connection that was kept survives the partner's restart", async () => {
    const sink = await openSink({ key, cert: certificate });
    for (let i = 0; i < 3; i++) {
      assert.equal((await post(sink.url)).ok, true);
      await sink.stop();
      await sink.start();
    }
    await sink.stop();
  });
});
