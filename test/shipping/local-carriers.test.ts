import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { testFolder } from "../support/test-folder.js";

interface Carrier {
  url: string;
  close(): Promise<void>;
}
type Start = (options?: Record<string, unknown>) => Promise<Carrier>;
// biome-ignore lint/suspicious/noExplicitAny: answers of other people's services, of which each test reads a few fields
type Answer = { status: number; body: any; headers: Headers };

const KEYS = { easypost: "EZTK_local:", sendcloud: "local_public:local_secret", karrio: "key_test_local:" };
type Name = keyof typeof KEYS;
const BASIC = (key: string) => `Basic ${Buffer.from(key).toString("base64")}`;

const US = { name: "Ada", street1: "388 Townsend St", city: "San Francisco", state: "CA", zip: "94107", country: "US" };
const DE = { person_name: "Ada", address_line1: "Ring 1", city: "Berlin", postal_code: "10115", country_code: "DE" };
const EASYPOST = { to_address: US, from_address: { ...US, street1: "1 Pier" }, parcel: { weight: 16 } };
const KARRIO = { shipper: DE, recipient: { ...DE, address_line1: "Ring 2" }, parcels: [{ weight: 1 }] };
const SENDCLOUD = { name: "Ada", address: "Bogert", house_number: "10", city: "Eindhoven", postal_code: "5611 EM" };
const PARCEL = { ...SENDCLOUD, country: "NL", weight: "1.000", shipment: { id: 8 }, request_label: true };

const file = (name: Name) => path.resolve("examples/carriers", `${name}.mjs`);
const starter = async (name: Name) => ((await import(pathToFileURL(file(name)).href)) as { start: Start }).start;

/** A client of one carrier, with its key unless another one is given. */
function clientOf(carrier: Carrier, key: string) {
  return async (
    method: string,
    route: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const response = await fetch(carrier.url + route, {
      method,
      headers: { Authorization: BASIC(key), "Content-Type": "application/json", ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = response.headers.get("content-type") === "application/json" && text !== "";
    return { status: response.status, body: json ? JSON.parse(text) : text, headers: response.headers };
  };
}

/** Buys a label under a reference, in as few requests as the carrier asks for. */
const BUY: Record<Name, (reference: string) => [string, string, unknown]> = {
  easypost: (reference) => [
    "POST",
    "/v2/shipments",
    { shipment: { ...EASYPOST, reference, service: "Priority", options: { label_format: "PDF" } } },
  ],
  sendcloud: (reference) => ["POST", "/api/v2/parcels", { parcel: { ...PARCEL, external_reference: reference } }],
  karrio: (reference) => ["POST", "/v1/shipments", { ...KARRIO, reference, service: "ups_standard" }],
};

describe("Local carriers", () => {
  const running: Carrier[] = [];
  afterEach(async () => {
    for (const carrier of running.splice(0)) await carrier.close();
  });

  async function open(name: Name, options: Record<string, unknown> = {}) {
    const carrier = await (await starter(name))(options);
    running.push(carrier);
    const call = clientOf(carrier, KEYS[name]);
    const bought = async (reference: string) =>
      (await call("GET", `/_control/bought?reference=${reference}`)).body as { bought: number; voided: number };
    return { carrier, call, bought };
  }

  for (const name of ["easypost", "sendcloud", "karrio"] as const) {
    it(`${name}: refuses a wrong key, and keeps a purchase whose answer was lost`, async () => {
      const data = path.join(testFolder(), "data.json");
      const { carrier, call, bought } = await open(name, { data });
      const wrong = await clientOf(carrier, "nobody:nothing")(...BUY[name]("R-0"));
      assert.ok([401, 403].includes(wrong.status), `${wrong.status}`);

      await call("POST", "/_control/faults", { drop: "before", method: "POST" });
      await assert.rejects(call(...BUY[name]("R-1")));
      assert.equal((await bought("R-1")).bought, 0);
      await call("POST", "/_control/faults", { drop: "after", method: "POST" });
      await assert.rejects(call(...BUY[name]("R-1")));
      assert.equal((await bought("R-1")).bought, 1);

      await carrier.close();
      const again = await open(name, { data });
      assert.equal((await again.bought("R-1")).bought, 1);
      const repeated = await again.call(...BUY[name]("R-1"));
      assert.ok(repeated.status < 300, JSON.stringify(repeated.body));
      // Only Sendcloud knows the reference again; the others have no key that makes a request idempotent.
      assert.equal((await again.bought("R-1")).bought, name === "sendcloud" ? 1 : 2);
    });

    it(`${name}: fails as often as it is told, and its carrier refuses without having sold anything`, async () => {
      const { call, bought } = await open(name);
      await call("POST", "/_control/faults", { status: 503, times: 2 });
      const statuses = [];
      for (let i = 0; i < 3; i += 1) statuses.push((await call(...BUY[name](`F-${i}`))).status);
      assert.deepEqual(statuses.slice(0, 2), [503, 503]);
      assert.ok((statuses[2] ?? 500) < 300);
      await call("POST", "/_control/faults", { refuse: true });
      const refused = await call(...BUY[name]("F-9"));
      assert.equal(refused.status, { easypost: 422, sendcloud: 400, karrio: 424 }[name]);
      assert.equal((await bought("F-9")).bought, 0);
      await call("POST", "/_control/limit", { count: 1, windowMs: 60_000 });
      await call(...BUY[name]("F-10"));
      const throttled = await call(...BUY[name]("F-11"));
      assert.equal(throttled.status, 429);
      assert.ok(Number(throttled.headers.get("retry-after")) > 0);
    });
  }

  it("easypost: sells a shipment once, finds it by reference, refunds it and verifies addresses", async () => {
    const { call, bought } = await open("easypost");
    const made = await call("POST", "/v2/shipments", { shipment: { ...EASYPOST, reference: "A-1" } });
    assert.equal(made.status, 201);
    const rate = { rate: { id: made.body.rates[1].id } };
    assert.equal(
      (await call("POST", `/v2/shipments/${made.body.id}/buy`, rate)).body.selected_rate.service,
      "Priority",
    );
    const twice = await call("POST", "/v2/shipments/A-1/buy", rate, { "Idempotency-Key": "one" });
    assert.deepEqual([twice.status, twice.body.error.code], [422, "SHIPMENT.POSTAGE.EXISTS"]);
    assert.equal((await call("GET", "/v2/shipments/A-1")).body.id, made.body.id);
    const label = (await call("GET", "/v2/shipments/A-1/label?file_format=ZPL")).body.postage_label.label_zpl_url;
    assert.match(await (await fetch(label)).text(), /^\^XA/);
    const form = await call("POST", "/v2/scan_forms", { shipments: [{ id: made.body.id }] });
    assert.equal(form.body.status, "created");
    assert.equal((await call("POST", "/v2/shipments/A-1/refund")).body.refund_status, "submitted");
    assert.deepEqual((await bought("A-1")).voided, 1);
    const address = { street1: "nowhere", city: "X", zip: "1" };
    const strict = await call("POST", "/v2/addresses", { address, verify_strict: true });
    assert.deepEqual(
      strict.body.error.errors.map(({ field }: { field: string }) => field),
      ["address", "street1"],
    );
    assert.equal((await call("POST", "/v2/shipments", {})).body.error.code, "PARAMETER.REQUIRED");
  });

  it("sendcloud: answers a known reference with its shipment, and a refused announcement with 201", async () => {
    const { call, bought } = await open("sendcloud");
    const side = {
      name: "Ada",
      address_line_1: "Bogert",
      postal_code: "5611 EM",
      city: "Eindhoven",
      country_code: "NL",
    };
    const shipment = {
      ...{ to_address: side, from_address: side, external_reference_id: "S-1" },
      ship_with: { type: "shipping_option_code", properties: { shipping_option_code: "dhl:standard" } },
      parcels: [{ weight: { value: "1.320", unit: "kg" } }],
    };
    const announce = (more = {}) => call("POST", "/api/v3/shipments/announce", { ...shipment, ...more });
    const made = await announce();
    assert.match(Buffer.from(made.body.data.parcels[0].label_file, "base64").toString(), /^%PDF-/);
    const known = await announce();
    assert.deepEqual([known.status, known.body.data.id], [409, made.body.data.id]);
    assert.equal((await bought("S-1")).bought, 1);
    await call("POST", "/_control/faults", { refuse: true });
    const refused = await announce({ external_reference_id: "S-2" });
    assert.deepEqual([refused.status, refused.body.data.parcels[0].status.code], [201, "ANNOUNCEMENT_FAILED"]);
    assert.equal((await call("POST", `/api/v3/shipments/${made.body.data.id}/cancel`)).status, 202);
    assert.equal((await call("POST", `/api/v3/shipments/${made.body.data.id}/cancel`)).status, 409);
    const missing = await announce({ to_address: { ...side, name: "" } });
    assert.equal(missing.body.errors[0].source.pointer, "/to_address/name");
    const document = `/api/v2/parcels/${made.body.data.parcels[0].id}/documents/label`;
    assert.match((await call("GET", document, undefined, { Accept: "application/zpl" })).body, /^\^XA/);
  });

  it("karrio: sells a draft once, lists by reference, cancels and puts labels on one manifest", async () => {
    const { carrier, call } = await open("karrio");
    const draft = (await call("POST", "/v1/shipments", { ...KARRIO, reference: "K-1" })).body;
    const choice = { selected_rate_id: draft.rates[0].id, label_type: "ZPL" };
    const sold = await call("POST", `/v1/shipments/${draft.id}/purchase`, choice);
    assert.match(Buffer.from(sold.body.shipping_documents[0].base64, "base64").toString(), /^\^XA/);
    const twice = await call("POST", `/v1/shipments/${draft.id}/purchase`, choice);
    assert.deepEqual([twice.status, twice.body.errors[0].code], [409, "state_error"]);
    assert.equal((await call("GET", "/v1/shipments?reference=K-1")).body.results[0].id, draft.id);
    const manifest = { carrier_name: draft.rates[0].carrier_name, shipment_ids: [draft.id], address: DE };
    assert.equal((await call("POST", "/v1/manifests", manifest)).status, 201);
    assert.equal((await call("POST", "/v1/manifests", manifest)).status, 424);
    const cancel = async () => (await call("POST", `/v1/shipments/${draft.id}/cancel`)).status;
    assert.deepEqual([await cancel(), await cancel()], [200, 202]);
    const live = clientOf(carrier, "key_live_local:");
    assert.equal((await live("GET", `/v1/shipments/${draft.id}`)).status, 404);
    const invalid = await call("POST", "/v1/proxy/rates", { ...KARRIO, shipper: {} });
    assert.deepEqual([invalid.status, Object.keys(invalid.body.errors[0].details)], [400, ["shipper"]]);
  });

  it("a step of a parcel reaches the webhook, signed as the carrier signs it", async () => {
    const received: { headers: IncomingHttpHeaders; content: string }[] = [];
    const receiver = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      received.push({ headers: request.headers, content: Buffer.concat(chunks).toString() });
      response.end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const hmac = (secret: string, content = "") => createHmac("sha256", secret).update(content).digest("hex");
    try {
      const easypost = await open("easypost");
      await easypost.call("POST", "/v2/webhooks", { webhook: { url, webhook_secret: "sécret" } });
      await easypost.call(...BUY.easypost("W-1"));
      await easypost.call("POST", "/_control/step", { reference: "W-1", status: "delivered" });
      const signature = `hmac-sha256-hex=${hmac("sécret".normalize("NFKD"), received[0]?.content)}`;
      assert.equal(received[0]?.headers["x-hmac-signature"], signature);

      const sendcloud = await open("sendcloud");
      await sendcloud.call("POST", "/_control/webhook", { url });
      await sendcloud.call(...BUY.sendcloud("W-2"));
      await sendcloud.call("POST", "/_control/step", { reference: "W-2", status: "delivered", times: 2 });
      assert.equal(received.length, 3);
      assert.equal(received[1]?.headers["sendcloud-signature"], hmac("local_secret", received[1]?.content));

      const karrio = await open("karrio");
      const hook = (await karrio.call("POST", "/v1/webhooks", { url, enabled_events: ["tracker_updated"] })).body;
      await karrio.call(...BUY.karrio("W-3"));
      await karrio.call("POST", "/_control/step", { reference: "W-3", status: "in_transit" });
      assert.equal(received[3]?.headers["x-event-id"], hook.secret);
      assert.equal(JSON.parse(received[3]?.content ?? "{}").data.status, "in_transit");
    } finally {
      receiver.close();
    }
  });
});
