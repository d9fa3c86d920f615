import assert from "node:assert/strict";
import { type Caller, statusAndBody, statusAndError } from "../support/caller.js";
import * as fixtures from "../support/fixtures.js";
import { pluck } from "../support/pluck.js";
import { queuedBehindLock } from "../support/queued-behind-lock.js";
import { auditMark, auditSince } from "../support/records.js";
import type { TestService } from "../support/service.js";
import { openTwoWarehouses } from "../support/two-warehouses.js";

const ROUTE = "/api/admin/preferred-bins";

describe("preferred bins", () => {
  let service: TestService;
  let keeper: Caller;
  let warehouse_id: number;
  let elsewhere: number;
  before(async () => {
    ({ service, user: keeper, warehouse_id, elsewhere } = await openTwoWarehouses(["preferred-bins"]));
  });
  after(() => service.close());

  interface Row {
    preferred_bin_id: number;
    bin_id: number;
    bin_code: string;
    priority: number;
  }
  const list = async (query: string, as = service.admin): Promise<Row[]> =>
    (await as.ok("GET", `${ROUTE}?${query}`)).preferred_bins;
  /** The bins of an item in order, after a look at their priorities: 1..K. */
  const order = async (item_id: number) => {
    const rows = await list(`item_id=${item_id}`);
    assert.deepEqual(
      pluck(rows, "priority"),
      rows.map((_, i) => i + 1),
    );
    return rows.map((row) => row.bin_id);
  };
  const prefer = (item_id: number, bin_id: number, priority?: number) =>
    keeper.post(ROUTE, { item_id, bin_id, priority });
  /** An item that prefers three bins, in this order. */
  async function item() {
    const { item_id, sku } = await fixtures.item();
    const bins: number[] = [];
    for (let place = 1; place <= 3; place++) {
      const bin_id = await fixtures.bin(warehouse_id);
      bins.push(bin_id);
      assert.equal((await prefer(item_id, bin_id, place)).status, 200);
    }
    assert.deepEqual(await order(item_id), bins);
    return { item_id, sku, bins: bins as [number, number, number] };
  }
  const idOf = async (item_id: number, bin_id: number) =>
    (await list(`item_id=${item_id}&bin_id=${bin_id}`))[0]?.preferred_bin_id as number;

  it("are listed by SKU and priority, all at once, and found by item, bin and words", async () => {
    const { item_id, sku, bins } = await item();
    const [first] = bins;
    const found = await list(`item_id=${item_id}`);
    const { preferred_bin_id, ...row } = found[0] as Row;
    const { item: preferring } = await service.admin.ok("GET", `/api/admin/items/${item_id}`);
    const { bin } = await service.admin.ok("GET", `/api/admin/bins/${first}`);
    assert.deepEqual(
      { ...row, updated_at: "" },
      {
        item_id,
        bin_id: first,
        priority: 1,
        ...{ min_units: null, max_units: null, case_units: null },
        notes: null,
        updated_at: "",
        item_external_id: preferring.external_id,
        sku,
        item_name: `Item ${sku}`,
        bin_external_id: bin.external_id,
        bin_code: bin.bin_code,
        zone_name: bin.zone_name,
        warehouse_id: bin.warehouse_id,
        warehouse_code: bin.warehouse_code,
      },
    );
    assert.deepEqual(await list(`bin_id=${first}`), [found[0]]);
    assert.deepEqual(await list(`q=item%20${sku.toLowerCase()}`), found);
    assert.deepEqual(await list(`q=${bin.bin_code}`), [found[0]]);
    assert.deepEqual(await list("q=100%25"), []);
    const skus = (await list("")).map((entry) => (entry as unknown as { sku: string }).sku);
    assert.deepEqual(skus, [...skus].sort());
  });

  it("come in pages when one is asked for", async () => {
    const { item_id } = await item();
    const whole = await service.admin.ok("GET", `/api/admin/preferred-bins?item_id=${item_id}`);
    assert.deepEqual([whole.page, whole.per_page, whole.pages], [1, whole.total, 1]);
    const pages: unknown[] = [];
    for (let page = 1; page <= whole.total; page++) {
      const part = await service.admin.ok(
        "GET",
        `/api/admin/preferred-bins?item_id=${item_id}&per_page=1&page=${page}`,
      );
      assert.deepEqual([part.total, part.pages], [whole.total, whole.total]);
      pages.push(...part.preferred_bins);
    }
    assert.deepEqual(pages, whole.preferred_bins);
  });

  it("are put first unless a place is said, and the others make room", async () => {
    const { item_id, bins } = await item();
    const [a, b, c] = bins;
    const [first, second, last] = [
      await fixtures.bin(warehouse_id),
      await fixtures.bin(warehouse_id),
      await fixtures.bin(warehouse_id),
    ];
    const mark = await auditMark();
    await prefer(item_id, first);
    await prefer(item_id, second, 2);
    const answer = await prefer(item_id, last, 100);
    assert.deepEqual(await order(item_id), [first, second, a, b, c, last]);
    assert.deepEqual(Object.keys(answer.body), ["message"]);
    const rows = await auditSince(mark);
    const { details, ...row } = rows[1] as (typeof rows)[number];
    assert.deepEqual(row, {
      action_type: "PREFERRED_BIN_UPDATE",
      entity_type: "ITEM",
      entity_id: item_id,
      user_id: keeper.username,
      warehouse_id,
    });
    assert.deepEqual([rows.length, details.bin_id, details.priority], [3, second, 2]);
  });

  it("that are there already move: one row per item and bin", async () => {
    const { item_id, bins } = await item();
    const [a, b, c] = bins;
    await prefer(item_id, a, 2);
    assert.deepEqual(await order(item_id), [b, a, c]);
    await prefer(item_id, c, 1);
    assert.deepEqual(await order(item_id), [c, b, a]);
    await prefer(item_id, c, 3);
    assert.deepEqual(await order(item_id), [b, a, c]);
  });

  it("leave the item's default bin alone", async () => {
    const { item_id } = await item();
    const path = `/api/admin/items/${item_id}`;
    assert.equal((await service.admin.ok("GET", path)).item.default_bin_id, null);
  });

  it("move by their own id, up and down", async () => {
    const { item_id, bins } = await item();
    const [a, b, c] = bins;
    const move = async (bin_id: number, priority: number) => {
      const path = `${ROUTE}/${await idOf(item_id, bin_id)}`;
      const answer = await keeper.put(path, { priority });
      assert.deepEqual([answer.status, Object.keys(answer.body)], [200, ["message"]]);
    };
    await move(a, 3);
    assert.deepEqual(await order(item_id), [b, c, a]);
    await move(a, 1);
    assert.deepEqual(await order(item_id), [a, b, c]);
    await move(b, 50);
    assert.deepEqual(await order(item_id), [a, c, b]);
  });

  it("close up when one is deleted; one that is gone is no error", async () => {
    const { item_id, bins } = await item();
    const [a, b, c] = bins;
    const path = `${ROUTE}/${await idOf(item_id, b)}`;
    const mark = await auditMark();
    assert.equal((await keeper.delete(path)).status, 200);
    assert.deepEqual(await order(item_id), [a, c]);
    const [row] = await auditSince(mark);
    assert.deepEqual([row?.details.bin_id, row?.details.priority], [b, null]);
    assert.deepEqual(statusAndBody(await keeper.delete(path)), [200, { message: "Nothing to delete" }]);
    assert.equal((await auditSince(mark)).length, 1);
  });

  it("are Pickable bins of items that there are", async () => {
    const { item_id } = await fixtures.item();
    const staging = await fixtures.bin(warehouse_id, { type: "Staging", code: "STAGE" });
    const bin_id = await fixtures.bin(warehouse_id);
    for (const [body, refusal] of [
      [{ item_id, bin_id: staging }, [400, "Bin STAGE is Staging: only a Pickable bin can be preferred"]],
      [{ item_id: 999_999, bin_id }, [404, "Item not found"]],
      [{ item_id, bin_id: 999_999 }, [404, "Bin 999999 not found"]],
    ] as const) {
      assert.deepEqual(statusAndError(await service.admin.post(ROUTE, body)), refusal);
    }
    const missing = await keeper.put(`${ROUTE}/999999`, { priority: 1 });
    assert.deepEqual([missing.status, missing.body], [404, { error: "Preferred bin not found" }]);
  });

  it("are pick faces with a lowest and a highest number of units", async () => {
    const { item_id } = await fixtures.item();
    const bin_id = await fixtures.bin(warehouse_id);
    const limits = async () =>
      (await list(`item_id=${item_id}`)).map((row) => {
        const { min_units, max_units, case_units } = row as unknown as Record<string, number | null>;
        return [min_units, max_units, case_units];
      });
    const mark = await auditMark();
    await keeper.ok("POST", ROUTE, { item_id, bin_id, min_units: 4, max_units: 20 });
    assert.deepEqual(await limits(), [[4, 20, 1]]);
    const path = `${ROUTE}/${await idOf(item_id, bin_id)}`;
    await keeper.ok("PUT", path, { priority: 1, case_units: 6 });
    assert.deepEqual(await limits(), [[4, 20, 6]]);
    await keeper.ok("PUT", path, { priority: 1 });
    assert.deepEqual(await limits(), [[4, 20, 6]]);
    const { preferred_bins } = await service.admin.ok("GET", `/api/admin/items/${item_id}`);
    assert.deepEqual(pluck(preferred_bins, "max_units"), [20]);
    const details = (await auditSince(mark)).map((row) => row.details);
    assert.deepEqual(pluck(details, "min_units"), [4, undefined, undefined]);
    assert.deepEqual(pluck(details, "case_units"), [undefined, 6, undefined]);
    for (const wrong of [{ min_units: 21 }, { max_units: null }, { min_units: null }, { max_units: 3 }]) {
      const refused = await keeper.put(path, { priority: 1, ...wrong });
      assert.deepEqual([refused.status, refused.code], [400, "face_limits"], JSON.stringify(wrong));
    }
    assert.equal((await keeper.put(path, { priority: 1, min_units: 0 })).status, 400);
    assert.deepEqual(await limits(), [[4, 20, 6]]);
    await keeper.ok("PUT", path, { priority: 1, min_units: null, max_units: null, case_units: null });
    assert.deepEqual(await limits(), [[null, null, null]]);
    const none = await keeper.post(ROUTE, { item_id, bin_id: await fixtures.bin(warehouse_id), case_units: 2 });
    assert.deepEqual([none.status, none.code], [400, "face_limits"]);
    assert.equal((await limits()).length, 1);
  });

  it("are no pick faces where reserves are kept, but may be preferred", async () => {
    const { item_id } = await fixtures.item();
    const bin_id = await fixtures.bin(warehouse_id);
    await service.admin.ok("PUT", `/api/admin/bins/${bin_id}`, { is_reserve: true });
    const refused = await keeper.post(ROUTE, { item_id, bin_id, min_units: 4, max_units: 20 });
    assert.deepEqual([refused.status, refused.code], [400, "face_in_reserve"]);
    await keeper.ok("POST", ROUTE, { item_id, bin_id });
    const path = `${ROUTE}/${await idOf(item_id, bin_id)}`;
    const edited = await keeper.put(path, { priority: 1, min_units: 4, max_units: 20 });
    assert.deepEqual([edited.status, edited.code], [400, "face_in_reserve"]);
  });

  it("of other warehouses a user neither sees nor touches", async () => {
    const { item_id } = await fixtures.item();
    const bin_id = await fixtures.bin(elsewhere);
    assert.equal((await prefer(item_id, bin_id)).status, 403);
    await service.admin.ok("POST", ROUTE, { item_id, bin_id });
    assert.deepEqual(await list(`item_id=${item_id}`, keeper), []);
    const path = `${ROUTE}/${await idOf(item_id, bin_id)}`;
    for (const denied of [await keeper.put(path, { priority: 1 }), await keeper.delete(path)])
      assert.deepEqual([denied.status, denied.body], [403, { error: "Access denied for this warehouse" }]);
    assert.deepEqual(await order(item_id), [bin_id]);
  });

  it("that two put first at once both get a place, and so does one from the floor", async () => {
    const { item_id, bins } = await item();
    const fresh = [await fixtures.bin(warehouse_id), await fixtures.bin(warehouse_id)];
    const answers = await queuedBehindLock(
      "select from items where item_id = $1 for no key update",
      [item_id],
      ...fresh.map((bin_id) => () => prefer(item_id, bin_id)),
      () => service.admin.post("/api/putaway/update-preferred", { item_id, bin_id: bins[1] }),
    );
    for (const answer of answers) assert.equal(answer.status, 200);
    assert.deepEqual(await order(item_id), [bins[1], fresh[1], fresh[0], bins[0], bins[2]]);
  });

  it("that one deletes while another moves it stay in order", async () => {
    const { item_id, bins } = await item();
    const path = `${ROUTE}/${await idOf(item_id, bins[0])}`;
    const [deleted, moved] = await queuedBehindLock(
      "select from items where item_id = $1 for no key update",
      [item_id],
      () => keeper.delete(path),
      () => keeper.put(path, { priority: 3 }),
    );
    assert.deepEqual([deleted?.status, moved?.status], [200, 404]);
    assert.deepEqual(await order(item_id), bins.slice(1));
  });
});
