import assert from "node:assert/strict";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import type { Answer, Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { sender } from "../support/inbound.js";
import { patient } from "../support/machine-speed.js";
import { documentWith, useMappings } from "../support/mappings.js";
import { file } from "../support/printed/fetch.js";
import { testService } from "../support/service.js";

const TRY = "/api/admin/inbound/try";
const KB = 1024;
/** So long may a request keep others waiting. */
const MOST_MS = patient(250);

const filled = (entry: string, bytes: number, end = "") => entry.repeat((bytes - end.length) / entry.length) + end;
const keys = (count: number) => Array.from({ length: count }, (_, i) => `k${i}: 1`).join("\n");
const orders = (fields: object[]) => JSON.stringify(documentWith({ sales_orders: sales(fields) }));
const sales = (fields: object[]) => ({ canonical_type: "sales_order", fields });
const memos = (count: number, field: object) =>
  Array.from({ length: count }, () => ({ canonical: "memo", type: "string", ...field }));

/** Nested conditions, over a list in which none of them ends soon. */
const FILTER = `$.lines[?(${Array(20).fill("@.a != 'x'").join(" && (")} && @.b == 'y'${")".repeat(19)})].c`;
const payload = { lines: Array.from({ length: 4_000 }, (_, i) => ({ a: `a${i}`, b: "x", c: i })) };

describe("what a caller sends to be read, mapped or drawn", function () {
  this.timeout(120_000);
  const service = testService();
  let office: Caller;
  let shop: Caller;
  let itemIds: number[];
  before(async () => {
    const here = await fixtures.warehouse();
    office = await service.user({ warehouse_ids: [here], page_keys: ["inbound", "items", "imports"] });
    shop = await sender(service, { warehouse_ids: [here] });
    const made = await db.rows<{ item_id: number }>(
      `insert into items (sku, item_name, upc)
       select 'LONG-' || i, left(repeat('Wi' || i, 256), 256), null from generate_series(1, 200) i returning item_id`,
    );
    itemIds = made.map(({ item_id }) => item_id);
    await useMappings({
      shop: documentWith({
        sales_orders: sales([
          { canonical: "so_number", type: "string", source_path: "$.so_number" },
          ...["memo", "ship_method", "currency"].map((canonical) => ({
            ...{ canonical, type: "string", source_path: FILTER },
          })),
        ]),
      }),
    });
  });

  /** Sends it while others ask for the health; it passes once nobody has waited long. */
  async function nobodyWaits(send: () => Promise<unknown>): Promise<void> {
    const waits: number[] = [];
    // A collection of garbage that was due anyway takes long once, what is costly takes long each time.
    for (let i = 0; i < 3; i++) {
      const delay = monitorEventLoopDelay({ resolution: 5 });
      delay.enable();
      let over = false;
      const sent = send().finally(() => {
        over = true;
      });
      let asked = 0;
      while (!over) {
        assert.equal((await office.get("/api/health")).status, 200);
        asked++;
        // Asking without a pause would fill a processor itself.
        await pause(20);
      }
      await sent;
      delay.disable();
      assert.ok(asked > 0);
      waits.push(delay.max / 1e6);
      if (delay.max / 1e6 < MOST_MS) return;
    }
    assert.fail(`others waited ${waits} ms`);
  }

  const tried = (mapping_document: string, source_payload: unknown = {}) =>
    office.post(TRY, { source_system: "shop", resource: "sales_orders", source_payload, mapping_document });
  const refusedWith = (text: RegExp) => (answer: Answer) => {
    assert.ok([400, 422].includes(answer.status), String(answer.status));
    assert.match(JSON.stringify(answer.body), text);
  };

  const refused: Record<string, [string, RegExp]> = {
    "19,000 keys": [keys(19_000), /at most 65536|<=65536/i],
    "2,001 keys": [keys(2_001), /more than 2000 keys/],
    "21 lists in one another": ["[".repeat(21), /nested more than 20 levels/],
    "a list of 30,000": [filled("1,", 60 * KB, "1]").replace(/^/, "["), /expected object/],
    "empty entries": [filled("-\n", 64 * KB), /expected object/],
    "faults in each line": [filled("a: @\n", 64 * KB), /cannot be read/],
    directives: [filled("%A\n", 64 * KB), /cannot be read/],
    "a key that stands 2,000 times": [filled("? a\n", 8 * KB), /Map keys must be unique/],
    "paths of 500 signs": [orders(memos(99, { source_path: `$${".a".repeat(250)}` })), /mapped twice/],
    "paths of filters": [orders(memos(99, { source_path: filled("[?(@.a==1)]", 511).replace(/^/, "$") })), /twice/],
    "expressions of 1,000 signs": [
      orders(memos(60, { derived: { expression: `1${"+1".repeat(499)}` } })),
      /mapped twice/,
    ],
  };
  for (const [what, [document, refusal]] of Object.entries(refused))
    it(`is refused: a mapping document with ${what}`, () =>
      nobodyWaits(async () => refusedWith(refusal)(await tried(document))));

  it("is tried: a filter with many conditions over a long list", () =>
    nobodyWaits(async () => {
      const document = orders([{ canonical: "so_number", type: "string", source_path: FILTER }]);
      const { status, body } = await tried(document, payload);
      assert.deepEqual([status, body.outcome], [200, "refused"]);
    }));

  it("is pushed: a long list that the deployed document filters", () =>
    nobodyWaits(async () => {
      const source_payload = { so_number: "SO-FILTER", ...payload };
      const push = { external_id: "filter", external_version: String(Date.now()), source_payload };
      const { status, body } = await shop.post("/api/v1/inbound/sales_orders", push);
      assert.deepEqual([status, body.error_kind], [422, "mapping_apply_error"]);
      assert.match(body.message, /too large for this mapping/);
    }));

  for (const format of ["pdf", "zpl"])
    it(`is drawn: 200 labels with long names as ${format}`, () =>
      nobodyWaits(() => file(office, `/api/admin/items/labels?format=${format}&size=4x6in&item_ids=${itemIds}`)));

  it("is sought: long texts, scans and codes", () =>
    nobodyWaits(async () => {
      for (const text of ["x".repeat(100), "%".repeat(100), "\\".repeat(100), "]C101".repeat(25), "0".repeat(128)]) {
        const q = encodeURIComponent(text);
        for (const path of [`/api/admin/search?q=${q}`, `/api/lookup/item/${q}`, `/api/admin/items?q=${q}`])
          assert.ok((await office.get(path)).status < 500, path);
      }
    }));

  const files: Record<string, string> = {
    "a million columns": filled("a,", 2_900 * KB),
    "rows of nothing": `sku,item_name\n${filled(",\n", 800 * KB)}`,
    "5,001 short rows": `sku,item_name\n${"a,b\n".repeat(5_001)}`,
    "separators alone": `sku;item_name\n${filled(";", 2_900 * KB)}`,
    "blanks alone": `sku,item_name\n${filled(" ", 2_900 * KB)}`,
    "a quote without an end": `sku,item_name\nA,"${filled('""', 2_900 * KB)}`,
  };
  for (const [what, text] of Object.entries(files))
    it(`is refused: a file to import with ${what}`, () =>
      nobodyWaits(async () => {
        const asked = { file: Buffer.from(text).toString("base64"), dry_run: true };
        const { status, body } = await office.post("/api/admin/import/items", asked);
        assert.equal(status, 400, JSON.stringify(body));
      }));

  it("is drawn for several at once, and ended with who asked for it", async () => {
    const gone = new AbortController();
    const path = `/api/admin/items/labels?item_ids=${itemIds}`;
    const left = Array.from({ length: 4 }, () =>
      fetch(office.url + path, { headers: office.headers, signal: gone.signal }),
    );
    const stays = file(service.admin, `${path}&format=zpl`);
    await office.get("/api/health");
    gone.abort();
    for (const one of await Promise.allSettled(left)) assert.equal(one.status, "rejected");
    assert.ok((await stays).bytes.length > 0);
    assert.ok((await file(office, `/api/admin/items/${itemIds[0]}/label`)).bytes.length > 0);
  });
});
