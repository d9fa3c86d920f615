import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { statusAndBody, statusAndError } from "../support/caller.js";
import { send } from "../support/send.js";
import { testService } from "../support/service.js";
import { tokenCaller } from "../support/tokens.js";

describe("a body", () => {
  const service = testService();

  const receive = (body: unknown) => service.admin.post("/api/receiving/receive", body);
  const detailsOf = async (body: unknown) => {
    const answer = await receive(body);
    assert.equal(answer.status, 400);
    assert.equal(answer.body.error, "validation_error");
    return answer.body.details;
  };
  const asJson = { "content-type": "application/json" };
  const notJson = [
    400,
    { error: "validation_error", details: [{ type: "json_invalid", loc: [], msg: "body is not JSON" }] },
  ];
  const MB = 1024 * 1024;
  const padded = (size: number) => `{"x":"${"x".repeat(size - 8)}"}`;
  const missing = ["po_id", "items"].map((field) => ({ type: "missing", loc: [field], msg: "Field required" }));

  it("must come as JSON", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/json5", ""]) {
      const caller = service.admin.with({ "content-type": type });
      const { status, body } = await caller.call("POST", "/api/receiving/receive", '{"po_id":1}');
      assert.equal(status, 415, type);
      assert.deepEqual(body, { error: "unsupported_media_type", message: "Content-Type must be application/json" });
    }
    const latin = service.admin.with({ "content-type": "Application/JSON; charset=utf-8" });
    assert.equal((await latin.call("POST", "/api/receiving/receive", "{}")).status, 400);
  });

  it("that is empty or null misses all its fields", async () => {
    for (const body of ["", "null"]) assert.deepEqual(await detailsOf(body), missing, body);
  });

  it("that is no JSON is refused by name", async () => {
    for (const body of ["{", " ", '{"po_id":1', "po_id=1", '{"a":"\t"}'])
      assert.deepEqual(await detailsOf(body), [{ type: "json_invalid", loc: [], msg: "body is not JSON" }], body);
  });

  it("that is no JSON is refused where a body means nothing, and changes nothing", async () => {
    assert.deepEqual(statusAndBody(await service.admin.post("/api/auth/refresh", "{")), notJson);
    assert.deepEqual(statusAndBody(await service.anyone.post("/api/auth/logout", "{")), notJson);
  });

  it("is not read for a GET, nor for a path that nobody serves", async () => {
    const ask = (path: string) =>
      send(service.url, { method: "GET", path, body: "{", headers: { ...service.admin.headers, ...asJson } });
    assert.equal((await ask("/api/auth/me")).status, 200);
    assert.equal((await ask("/api/nowhere")).status, 404);
  });

  it("is read only when it is known who sends it, and that they may", async () => {
    const path = "/api/admin/users";
    assert.equal((await service.anyone.post(path, "{")).status, 401);
    const stranger = await service.user();
    assert.equal((await stranger.post(path, "{")).status, 403);
    assert.equal((await service.admin.post(path, "{")).status, 400);
  });

  it("may be packed, as long as what it holds is not too much", async () => {
    const packed = (body: string) =>
      send(service.url, {
        ...{ method: "POST", path: "/api/receiving/receive" },
        headers: { ...service.admin.headers, ...asJson, "content-encoding": "gzip" },
        body: gzipSync(body),
      });
    const read = await packed("{}");
    assert.deepEqual(JSON.parse(read.body).details, missing);
    assert.equal((await packed(padded(MB + 1))).status, 413);
  });

  it("in another encoding than UTF-8, or packed in an unknown way, is refused", async () => {
    for (const [header, value] of [
      ["content-type", "application/json; charset=utf-16"],
      ["content-type", "application/json; charset=latin1"],
      ["content-encoding", "compress"],
    ] as const) {
      const caller = service.admin.with({ [header]: value });
      const { status, body } = await caller.post("/api/receiving/receive", "{}");
      assert.deepEqual([status, body.error], [415, "unsupported_media_type"], value);
    }
  });

  it("gets 50 of its faults named, and the number of the others", async () => {
    const fields = Array.from({ length: 998 }, (_, i) => [`field_${i}`, 1]);
    const details = await detailsOf(Object.fromEntries(fields));
    assert.equal(details.length, 51);
    assert.deepEqual(details.at(-1), { type: "too_many_errors", loc: [], msg: "… and 950 more" });
    const [named] = await detailsOf({ ["x".repeat(9_000)]: 1, items: [] });
    assert.ok(JSON.stringify(named).length < 1_000);
  });

  it("may be nested 64 levels deep", async () => {
    const nested = (levels: number) => `{"x":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;
    assert.equal((await detailsOf(nested(64)))[0].type, "missing");
    assert.deepEqual(await detailsOf(nested(65)), [
      { type: "value_error", loc: [], msg: "Nested deeper than 64 levels" },
    ]);
  });

  it("may hold 10,000 values, and 5,000 fields in one object", async () => {
    const list = (values: number) => `{"x":[${Array(values).fill(0)}]}`;
    assert.equal((await detailsOf(list(9_998)))[0].type, "missing");
    const [values] = await detailsOf(list(10_001));
    assert.equal(values.msg, "More than 10000 values");
    // What stands in a text is none.
    const text = JSON.stringify({ x: '[,{:"\\'.repeat(30_000) });
    assert.equal((await detailsOf(text))[0].type, "missing");
    const keys = Array.from({ length: 5_001 }, (_, i) => [`field_${i}`, 1]);
    const [wide] = await detailsOf(Object.fromEntries(keys));
    assert.equal(wide.msg, "More than 5000 fields in one object");
  });

  it("that is JSON but no object is refused", async () => {
    for (const body of ["[]", '"text"', "7", "true"]) {
      const [detail] = await detailsOf(body);
      assert.deepEqual([detail.type, detail.loc], ["dict_type", []], body);
    }
  });

  it("may not hold unknown fields", async () => {
    const details = await detailsOf({ po_id: 1, items: [{ item_id: 1, quantity: 1, bin_id: 1, colour: "red" }], x: 1 });
    assert.deepEqual(details, [
      { type: "extra_forbidden", loc: ["items", 0, "colour"], msg: "Unknown field: colour" },
      { type: "extra_forbidden", loc: ["x"], msg: "Unknown field: x" },
    ]);
  });

  it("may name a warehouse where the route does not use one", async () => {
    const { status } = await receive({ po_id: 999, items: [{ item_id: 1, quantity: 1, bin_id: 1 }], warehouse_id: 7 });
    assert.equal(status, 404);
  });

  it("tells where in it a field is wrong", async () => {
    const [detail] = await detailsOf({ po_id: 1, items: [{ item_id: 1, quantity: 0, bin_id: 1 }] });
    assert.deepEqual([detail.type, detail.loc], ["greater_than", ["items", 0, "quantity"]]);
  });

  it("may not hold NUL or half a character, nor may path and query", async () => {
    const entry = { item_id: 1, quantity: 1, bin_id: 1 };
    for (const lot_number of ["A\0B", "A\ud800B"]) {
      const [detail] = await detailsOf({ po_id: 1, items: [{ ...entry, lot_number }] });
      assert.deepEqual([detail.type, detail.loc], ["value_error", ["items", 0, "lot_number"]]);
    }
    assert.equal((await detailsOf({ po_id: 1, items: [entry], "a\0b": 1 })).length, 1);
    for (const path of ["/api/receiving/po/a%00b", "/api/admin/users?page=%00"]) {
      assert.deepEqual(statusAndError(await service.admin.get(path)), [400, "validation_error"], path);
    }
  });

  it("of a count may hold all fields of 5,000 lines", async () => {
    const line = { count_line_id: 1, counted_quantity: 10, unexpected: false };
    const lines = Array(5_000).fill({ ...line, item_id: 1, sku: "TST-001" });
    const path = "/api/inventory/cycle-count/submit";
    assert.equal((await service.admin.post(path, { count_id: 999, lines })).status, 404);
  });

  it("of records may hold 150,000 values", async () => {
    const push = (values: number) =>
      `{"external_id":"1","external_version":"1","source_payload":{"x":[${Array(values).fill(0)}]}}`;
    const { caller } = await tokenCaller(service, { source_system: "unmapped", inbound_resources: ["items"] });
    const items = "/api/v1/inbound/items";
    // Read, and found sound: what is missing is the mapping.
    assert.equal((await caller.post(items, push(120_000))).status, 503);
    const records = (values: number) => `{"items":[${Array(values).fill(0)}]}`;
    const path = "/api/admin/import/items";
    const { body } = await service.admin.post(path, records(140_000));
    assert.equal(body.error, "At most 5000 records can be imported at once");
    const refused = await service.admin.post(path, records(150_001));
    assert.equal(refused.body.details[0].msg, "More than 150000 values");
  });

  for (const [path, kb] of [
    ["/api/auth/login", 64],
    ["/api/auth/refresh", 1024],
    ["/api/receiving/receive", 1024],
    ["/api/admin/import/items", 10 * 1024],
  ] as const)
    it(`of ${path} may have ${kb} KB`, async () => {
      const more = await service.admin.post(path, padded(kb * 1024 + 1));
      const { status, body } = more;
      assert.deepEqual([status, body], [413, { error: "body_too_large" }]);
      const most = await service.admin.post(path, padded(kb * 1024));
      assert.notEqual(most.status, 413);
    });
});
