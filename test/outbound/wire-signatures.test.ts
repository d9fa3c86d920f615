import assert from "node:assert/strict";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { verifyWebhook } from "../../examples/verify-webhook.js";
import { bodyOf, headersOf } from "../../src/outbound/wire/send.js";
import type { Envelope } from "../../src/platform/events/envelope.js";
import { envelope, nowInSeconds, OLD_SECRET, SECRET, signed } from "../support/wire.js";

/** As Node has the headers of a request. */
const received = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** What JSON can say, in every corner: any UTF-16 text as key and value, numbers of all sizes. */
const text = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.constant(0xd83d)))
  .map((units) => String.fromCharCode(...units));
const { data } = fc.letrec((tie) => ({
  data: fc.dictionary(text, tie("value"), { maxKeys: 5 }),
  value: fc.oneof(
    { depthSize: "small" },
    text,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    tie("data"),
  ),
}));

/** The same rules as `bodyOf`, by hand. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  const pairs = entries.map(([key, of]) => `${JSON.stringify(key)}:${canonical(of)}`);
  return `{${pairs.join(",")}}`;
}

describe("the bytes of an event", () => {
  it("are compact JSON with sorted keys at every level, in UTF-8 that escapes nothing it need not", () => {
    const data = {
      z: [{ b: 1, a: "Käse 🧀" }, []],
      "10": null,
      "9": 1e21,
      Z: 9007199254740991,
      a: "\ud800 alone, \u0001",
      é: { y: -0.5, x: {} },
    };
    assert.equal(
      bodyOf(envelope({ data })).toString("utf8"),
      `{"aggregate_id":"0b9b4a0e-6d3c-4a0f-9f1e-0d6c1f1f2a3b","aggregate_type":"sales_order",` +
        `"data":{"10":null,"9":1e+21,"Z":9007199254740991,"a":"\\ud800 alone, \\u0001",` +
        `"z":[{"a":"Käse 🧀","b":1},[]],"é":{"x":{},"y":-0.5}},"event_id":7,` +
        `"event_timestamp":"2026-05-06T12:00:00.123456+00:00","event_type":"ship.confirmed","event_version":1,` +
        `"source_txn_id":"5a0c7c1e-3b1a-4f5e-8d2b-7c6d5e4f3a2b","warehouse_id":1}`,
    );
  });

  it("parse back to the event, and verify under both schemes, whatever is in it", () => {
    const strict = new TextDecoder("utf-8", { fatal: true });
    fc.assert(
      fc.property(data, fc.nat(), (data, event_id) => {
        const event = envelope({ data: data as Envelope["data"], event_id });
        const { body, headers } = signed(event);
        const sent = strict.decode(body);
        assert.equal(sent, canonical(event));
        assert.deepEqual(JSON.parse(sent), JSON.parse(JSON.stringify(event)));
        assert(verifyWebhook(received(headers), body, [SECRET]));
        assert.deepEqual(new Webhook(SECRET).verify(body, headers), JSON.parse(sent));
      }),
    );
  });
});

describe("the headers of an attempt", () => {
  it("are those of the contract and those of Standard Webhooks", () => {
    const { headers } = signed(envelope(), [SECRET], 1_780_000_000);
    const { "X-Service-Signature": own, "webhook-signature": standard, ...rest } = headers;
    assert.deepEqual(rest, {
      "Content-Type": "application/json",
      "User-Agent": "warehouse-webhooks/1",
      "X-Service-Signature-Generation": "1",
      "X-Service-Delivery-Id": "7:1780000000",
      "X-Service-Event-Type": "ship.confirmed",
      "X-Service-Timestamp": "1780000000",
      "webhook-id": "evt_s_7",
      "webhook-timestamp": "1780000000",
    });
    assert.match(`${own}`, /^sha256=[0-9a-f]{64}$/);
    assert.match(`${standard}`, /^v1,[A-Za-z0-9+/]{43}=$/);
  });

  it("carry the signatures that others compute from the published rules", () => {
    // printf '1780000000.{}' | openssl dgst -sha256 -hmac whsec_AQEB…
    const headers = headersOf({
      body: Buffer.from("{}"),
      eventId: 1,
      eventType: "x",
      messageId: "evt_1",
      timestamp: 1_780_000_000,
      secrets: [{ generation: 1, secret: SECRET }],
    });
    assert.equal(
      headers["X-Service-Signature"],
      "sha256=819c4307832ac856d34c5f0f5ba081d3da2966a8e57ca57672916adaa5172d72",
    );
    assert.equal(headers["webhook-signature"], "v1,3CEpNHTG7IrtvM5zNKmkGgo3UQn612TZl+rKeWfuROE=");
  });

  it("during a rotation are signed with both secrets, the contract's own with the new one", () => {
    const { body, headers } = signed(envelope(), [SECRET, OLD_SECRET]);
    for (const secret of [SECRET, OLD_SECRET]) new Webhook(secret).verify(body, headers);
    assert.equal(headers["X-Service-Signature-Generation"], "1");
    assert.equal(headers["X-Service-Signature"], signed(envelope(), [SECRET]).headers["X-Service-Signature"]);
    assert.equal(headers["webhook-signature"]?.split(" ").length, 2);
  });

  it("are refused by the library of Standard Webhooks for other bytes, times, ids and secrets", () => {
    const webhook = new Webhook(SECRET);
    const { body, headers } = signed();
    const refuses = (changed: Record<string, string>, bytes = body) =>
      assert.throws(() => webhook.verify(bytes, { ...headers, ...changed }));
    refuses({}, Buffer.from(`${body} `));
    refuses({ "webhook-timestamp": `${nowInSeconds() + 1}` });
    refuses({ "webhook-id": "evt_s_8" });
    assert.throws(() => new Webhook(OLD_SECRET).verify(body, headers));
    const old = signed(envelope(), [SECRET], nowInSeconds() - 301);
    assert.throws(() => webhook.verify(old.body, old.headers));
  });

  it("need a secret of generation 1", () => {
    assert.throws(() => signed(envelope(), []));
  });
});
