import assert from "node:assert/strict";
import type { Answer, Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { fresh, push, pushedItem, sender, useTestMappings } from "../support/inbound.js";
import { pluck, pluckAll } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import type { TestService } from "../support/service.js";
import { openTwoWarehouses } from "../support/two-warehouses.js";

const ROUTE = "/api/admin/source-links";

describe("ids of source systems", () => {
  let service: TestService;
  /** Of every warehouse that there is. */
  let clerk: Caller;
  /** Of the first warehouse alone. */
  let local: Caller;
  let shop: Caller;
  let warehouse_id: number;
  let elsewhere: number;
  before(async () => {
    const page_keys = ["inbound", "imports"];
    ({ service, user: local, warehouse_id, elsewhere } = await openTwoWarehouses(page_keys));
    clerk = await service.user({ page_keys, warehouse_ids: [warehouse_id, elsewhere] });
    await useTestMappings();
    shop = await sender(service, { warehouse_ids: [warehouse_id, elsewhere] });
    await sender(service, { source_system: "clock" });
  });
  after(() => service.close());

  /** A record of the desk. */
  const item = async () => {
    const { item_id, sku } = await fixtures.item();
    const row = await db.row<{ canonical_id: string }>(
      "select external_id as canonical_id from items where item_id = $1",
      [item_id],
    );
    return { item_id, sku, canonical_id: row?.canonical_id as string };
  };
  const order = async (at: number) => {
    const number = fresh("SO");
    const row = await db.row<{ canonical_id: string }>(
      "insert into sales_orders (so_number, warehouse_id) values ($1, $2) returning external_id as canonical_id",
      [number, at],
    );
    return { number, canonical_id: row?.canonical_id as string };
  };
  /** Records that belong to no warehouse: one of each type, by its code. */
  const ofNoWarehouse = async () => {
    const { canonical_id, sku } = await item();
    const [vendor, email] = [fresh("Vendor"), `${fresh("mail")}@example.com`];
    const made = await db.row<{ vendor: string; customer: string }>(
      `with v as (insert into vendors (vendor_name) values ($1) returning canonical_id),
         c as (insert into customers (customer_name, email) values ('C', $2) returning canonical_id)
       select (select canonical_id from v) as vendor, (select canonical_id from c) as customer`,
      [vendor, email],
    );
    return [
      { source_type: "item", canonical_id, code: sku },
      { source_type: "vendor", canonical_id: made?.vendor as string, code: vendor },
      { source_type: "customer", canonical_id: made?.customer as string, code: email },
    ];
  };
  const linkTo = (canonical_id: string, source_id = fresh("id"), source_type = "item") => ({
    ...{ source_system: "shop", source_type, source_id, canonical_id },
  });
  const listed = async (query: string, by = service.admin) => (await by.ok("GET", `${ROUTE}?${query}`)).source_links;
  const isRefused = ({ status, code, body }: Answer, expected: number, kind: string, says: RegExp) => {
    assert.deepEqual([status, code], [expected, kind], JSON.stringify(body));
    assert.match(body.error, says);
  };
  const nameOf = (item_id: number) => db.value<string>("select item_name from items where item_id = $1", [item_id]);
  const unlink = (link_id: number, by = service.admin) => by.delete(`${ROUTE}/${link_id}`);

  describe("are linked", () => {
    it("to a record that is here, whose next push then changes it", async () => {
      const goods = await item();
      const wanted = linkTo(goods.canonical_id.toUpperCase());
      const mark = await auditMark();
      const { status, body } = await clerk.post(ROUTE, wanted);
      assert.equal(status, 201, JSON.stringify(body));
      const { link_id, first_seen_at, last_updated_at, ...link } = body;
      const { canonical_id, sku: code } = goods;
      assert.deepEqual(link, {
        ...wanted,
        canonical_id,
        code,
        name: link.name,
        warehouse_id: null,
        warehouse_code: null,
      });
      assert.equal(link.name, await nameOf(goods.item_id));
      const [audit, ...more] = await auditSince(mark);
      assert.deepEqual(more, []);
      assert.deepEqual(
        [audit?.action_type, audit?.entity_type, audit?.entity_id, audit?.user_id, audit?.details],
        ["LINK", "SOURCE_LINK", link_id, clerk.username, { ...wanted, canonical_id }],
      );
      const pushed = await push(shop, "items", wanted.source_id, 1, { sku: code, item_name: "From the shop" });
      assert.deepEqual([pushed.status, pushed.body.canonical_id], [201, canonical_id]);
      assert.equal(await nameOf(goods.item_id), "From the shop");
    });

    it("not to a record that is not here, and not of a system that is not on the list", async () => {
      const nothing = "00000000-0000-4000-8000-000000000000";
      isRefused(await clerk.post(ROUTE, linkTo(nothing)), 404, "record_not_found", /^No item 00000000/);
      const { canonical_id } = await item();
      const customer = linkTo(canonical_id, fresh("id"), "customer");
      isRefused(await clerk.post(ROUTE, customer), 404, "record_not_found", /^No customer/);
      const stranger = { ...linkTo(canonical_id), source_system: "stranger" };
      isRefused(await clerk.post(ROUTE, stranger), 404, "source_system_not_found", /not found/);
    });

    it("not twice, neither the id nor the record, but each source has its own", async () => {
      const [one, other] = [await item(), await item()];
      const wanted = linkTo(one.canonical_id);
      await clerk.ok("POST", ROUTE, wanted);
      for (const again of [wanted, linkTo(other.canonical_id, wanted.source_id)])
        isRefused(
          await clerk.post(ROUTE, again),
          ...([409, "source_id_linked", new RegExp(`^item ${wanted.source_id} of shop is linked to a`)] as const),
        );
      isRefused(
        await clerk.post(ROUTE, linkTo(one.canonical_id)),
        ...([409, "record_linked", new RegExp(`already, to item ${wanted.source_id} of shop$`)] as const),
      );
      await clerk.ok("POST", ROUTE, { ...wanted, source_system: "clock" });
      await clerk.ok("POST", ROUTE, {
        ...linkTo((await order(warehouse_id)).canonical_id, wanted.source_id, "sales_order"),
      });
    });

    it("once, whoever asks at the same time", async () => {
      const { canonical_id } = await item();
      const answers = await Promise.all(Array.from({ length: 8 }, () => clerk.post(ROUTE, linkTo(canonical_id))));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(7).fill(409)]);
      assert.equal((await listed(`canonical_id=${canonical_id}`)).length, 1);
    });

    it("and unlinked, for orders of own warehouses alone", async () => {
      const { canonical_id, number } = await order(elsewhere);
      const wanted = linkTo(canonical_id, fresh("id"), "sales_order");
      isRefused(await local.post(ROUTE, wanted), 404, "record_not_found", new RegExp(canonical_id));
      const link = await service.admin.ok("POST", ROUTE, wanted);
      assert.deepEqual([link.code, link.name, link.warehouse_id], [number, null, elsewhere]);
      assert.deepEqual(await listed(`canonical_id=${canonical_id}`, local), []);
      assert.deepEqual(await listed(`canonical_id=${canonical_id}`), [link]);
      isRefused(await unlink(link.link_id, local), 404, "source_link_not_found", /./);
      assert.equal((await unlink(link.link_id)).status, 200);
      const own = linkTo((await order(warehouse_id)).canonical_id, fresh("id"), "sales_order");
      const { link_id } = await local.ok("POST", ROUTE, own);
      assert.equal((await listed(`canonical_id=${own.canonical_id}`, local)).length, 1);
      assert.equal((await unlink(link_id, local)).status, 200);
    });

    it("and unlinked, for who has every warehouse, where the record belongs to none", async () => {
      for (const { source_type, canonical_id } of await ofNoWarehouse()) {
        const wanted = linkTo(canonical_id, fresh("id"), source_type);
        const { link_id } = await clerk.ok("POST", ROUTE, wanted);
        assert.deepEqual(await listed(`canonical_id=${canonical_id}`, local), [], source_type);
        assert.equal((await listed(`canonical_id=${canonical_id}`, clerk)).length, 1, source_type);
        isRefused(await unlink(link_id, local), 404, "source_link_not_found", /./);
        assert.equal((await unlink(link_id, clerk)).status, 200);
        isRefused(await local.post(ROUTE, wanted), 404, "record_not_found", new RegExp(canonical_id));
      }
    });
  });

  it("are listed by system, type, id and record", async () => {
    const goods = await pushedItem(shop);
    const { canonical_id } = await item();
    const wanted = linkTo(canonical_id, goods.external_id, "item");
    const second = await clerk.ok("POST", ROUTE, { ...wanted, source_system: "clock" });
    const ids = async (query: string) =>
      (await listed(query, clerk)).map((link: { source_system: string; code: string }) => [
        link.source_system,
        link.code,
      ]);
    const both = [
      ["clock", second.code],
      ["shop", goods.external_id],
    ];
    assert.deepEqual(await ids(`source_id=${goods.external_id}`), both);
    assert.deepEqual(await ids(`source_id=${goods.external_id}&source_type=item`), both);
    assert.deepEqual(await ids(`source_id=${goods.external_id}&source_type=vendor`), []);
    assert.deepEqual(await ids(`source_id=${goods.external_id}&source_system=shop`), both.slice(1));
    assert.deepEqual(await ids(`canonical_id=${canonical_id}`), both.slice(0, 1));
    const page = await clerk.ok("GET", `${ROUTE}?source_type=item&per_page=1&page=2`);
    assert.equal(page.source_links.length, 1);
    assert.ok(page.total >= 2);
    await db.run("delete from items where external_id = $1", [canonical_id]);
    assert.deepEqual(await ids(`canonical_id=${canonical_id}`), [["clock", null]]);
  });

  describe("that are taken from a record", () => {
    const versions = (external_id: string) =>
      db.rows<{ external_version: string; status: string; canonical_id: string }>(
        "select external_version, status, canonical_id from inbound_items where external_id = $1 order by inbound_id",
        [external_id],
      );
    /** An item of the desk, linked and pushed as version 5. */
    async function pushedTo() {
      const goods = await item();
      const link = await clerk.ok("POST", ROUTE, linkTo(goods.canonical_id));
      const send = (version: number, item_name: string, sku = goods.sku) =>
        push(shop, "items", link.source_id, version, { sku, item_name });
      assert.equal((await send(5, "v5")).status, 201);
      return { ...goods, link, send };
    }

    it("are new again: the record stays, and the audit trail tells", async () => {
      const { link, canonical_id, send, item_id } = await pushedTo();
      const mark = await auditMark();
      assert.deepEqual((await unlink(link.link_id, clerk)).body, { link_id: link.link_id, deleted: true });
      const [audit] = await auditSince(mark);
      assert.deepEqual([audit?.action_type, audit?.details.source_id], ["UNLINK", link.source_id]);
      assert.deepEqual(await listed(`canonical_id=${canonical_id}`), []);
      isRefused(await unlink(link.link_id), 404, "source_link_not_found", /not found/);
      const again = await send(5, "v5");
      assert.deepEqual([again.status, again.body.error_kind], [422, "canonical_constraint_violation"]);
      assert.equal(await nameOf(item_id), "v5");
      const made = await send(4, "another", fresh("SKU"));
      assert.equal(made.status, 201);
      assert.notEqual(made.body.canonical_id, canonical_id);
    });

    it("go on with the versions that it had when they are linked to it again", async () => {
      const { link, canonical_id, send, item_id } = await pushedTo();
      await unlink(link.link_id);
      await clerk.ok("POST", ROUTE, linkTo(canonical_id, link.source_id));
      const stale = await send(4, "v4");
      assert.deepEqual([stale.status, stale.body.error_kind, stale.body.current_version], [409, "stale_version", "5"]);
      assert.equal((await send(5, "v5")).status, 200);
      assert.equal((await send(6, "v6")).status, 201);
      assert.equal(await nameOf(item_id), "v6");
      assert.deepEqual(await versions(link.source_id), [
        { external_version: "5", status: "superseded", canonical_id },
        { external_version: "6", status: "applied", canonical_id },
      ]);
    });

    it("begin anew with another record, also with a version that was here", async () => {
      const { link, canonical_id, send, item_id } = await pushedTo();
      const right = await item();
      await unlink(link.link_id);
      await clerk.ok("POST", ROUTE, linkTo(right.canonical_id, link.source_id));
      const moved = await send(5, "v5", right.sku);
      assert.deepEqual([moved.status, moved.body.canonical_id], [201, right.canonical_id]);
      const repeated = await send(5, "v5", right.sku);
      assert.deepEqual([repeated.status, repeated.body], [200, moved.body]);
      assert.equal((await send(4, "v4", right.sku)).body.error_kind, "stale_version");
      assert.equal((await send(6, "v6", right.sku)).status, 201);
      assert.deepEqual([await nameOf(item_id), await nameOf(right.item_id)], ["v5", "v6"]);
      assert.deepEqual(pluckAll(await versions(link.source_id), "external_version", "status", "canonical_id"), [
        ["5", "applied", canonical_id],
        ["5", "superseded", right.canonical_id],
        ["6", "applied", right.canonical_id],
      ]);
    });

    it("wait for a push of theirs, or come before it", async () => {
      const { link, send, canonical_id } = await pushedTo();
      const [pushed, removed] = await Promise.all([send(6, "v6"), unlink(link.link_id)]);
      assert.equal(removed.status, 200);
      assert.ok([201, 409, 422].includes(pushed.status), JSON.stringify(pushed.body));
      assert.deepEqual(await listed(`canonical_id=${canonical_id}`), []);
    });
  });

  it("that are linked while their first push makes a record name one of the two", async () => {
    for (let i = 0; i < 5; i++) {
      const { canonical_id, sku } = await item();
      const wanted = linkTo(canonical_id);
      const send = (item_name: string) => push(shop, "items", wanted.source_id, 1, { sku: `${sku}-B`, item_name });
      const [linked, pushed] = await Promise.all([clerk.post(ROUTE, wanted), send("X")]);
      assert.ok([201, 409].includes(linked.status), JSON.stringify(linked.body));
      assert.ok([201, 409].includes(pushed.status), JSON.stringify(pushed.body));
      const again = pushed.status === 409 ? await send("X") : pushed;
      const [link] = await listed(`source_system=shop&source_id=${wanted.source_id}`);
      assert.equal(again.body.canonical_id, link.canonical_id);
      assert.equal(link.canonical_id === canonical_id, linked.status === 201);
    }
  });

  describe("of a file", () => {
    const load = (records: unknown[], by = clerk) => by.ok("POST", "/api/admin/import/source-links", { records });

    it("are linked by SKU, number, name, e-mail or UUID, each row by itself", async () => {
      const [bySku, byId, taken] = [await item(), await item(), await item()];
      const so = await order(warehouse_id);
      const vendor_name = fresh("Vendor");
      for (let i = 0; i < 2; i++) await db.run("insert into vendors (vendor_name) values ($1)", [vendor_name]);
      const email = `${fresh("mail")}@example.com`;
      await db.run("insert into customers (customer_name, email) values ('C', $1)", [email]);
      const { source_id } = await clerk.ok("POST", ROUTE, linkTo(taken.canonical_id));
      const row = (source_type: string, named: object, id: string | number = fresh("f")) => ({
        ...{ source_system: "shop", source_type, source_id: id },
        ...named,
      });
      const mark = await auditMark();
      const answer = await load([
        row("item", { sku: bySku.sku }, 471_100_001),
        row("item", { canonical_id: byId.canonical_id }),
        row("sales_order", { so_number: so.number }),
        row("customer", { email }),
        row("item", { sku: taken.sku }),
        row("item", { code: fresh("none") }),
        row("sales_order", { code: fresh("SO") }),
        row("vendor", { vendor_name }),
        row("item", { sku: bySku.sku }, 471_100_001),
        row("item", { sku: byId.sku }, source_id),
        { ...row("item", { sku: bySku.sku }), source_system: "stranger" },
        row("bin", { code: "A" }),
        row("item", {}),
        row("item", { sku: bySku.sku, colour: "red" }),
      ]);
      assert.deepEqual([answer.total, answer.imported, answer.skipped], [14, 4, 10]);
      const expected = [
        [5, new RegExp(`^The record is linked already, to item ${source_id} of shop$`)],
        [6, /^No item none-/],
        [7, /^No sales_order SO-\S+ is here$/],
        [8, new RegExp(`^Several records are called ${vendor_name}: name the canonical_id$`)],
        [9, /^item 471100001 of shop is linked to a record already$/],
        [10, new RegExp(`^item ${source_id} of shop is linked to a record already$`)],
        [11, /^Source system not found$/],
        [12, /^source_type: /],
        [13, /^code: /],
        [14, /^unknown column\(s\): colour$/],
      ] as const;
      assert.deepEqual(
        pluck(answer.errors, "row"),
        expected.map(([at]) => at),
      );
      for (const [i, [, says]] of expected.entries()) assert.match(answer.errors[i].error, says);
      const rows = await auditSince(mark);
      assert.deepEqual(pluckAll(rows, "action_type", "warehouse_id"), [
        ["LINK", null],
        ["LINK", null],
        ["LINK", warehouse_id],
        ["LINK", null],
      ]);
      const pushed = await push(shop, "items", "471100001", 1, { sku: bySku.sku, item_name: "Shop" });
      assert.deepEqual([pushed.status, pushed.body.canonical_id], [201, bySku.canonical_id]);
    });

    it("are those of own warehouses for who has not every one", async () => {
      const [own, theirs] = [await order(warehouse_id), await order(elsewhere)];
      const orders = [own, theirs].map(({ number }) => ({ source_type: "sales_order", code: number }));
      const records = [...orders, ...(await ofNoWarehouse())].map(({ source_type, code }) => ({
        ...{ source_system: "shop", source_type, source_id: fresh("f"), code },
      }));
      const { imported, errors } = await load(records, local);
      assert.equal(imported, 1);
      assert.deepEqual(
        errors,
        records
          .map(({ source_type, code }, i) => ({ row: i + 1, error: `No ${source_type} ${code} is here` }))
          .slice(1),
      );
    });

    it("are one command: thousands at once, and the same file again links none", async () => {
      const prefix = fresh("M");
      await db.run("insert into items (sku, item_name) select $1 || n, 'Mug' from generate_series(1, 1000) n", [
        prefix,
      ]);
      const rows = Array.from({ length: 1_000 }, (_, i) => ({
        ...{ source_system: "clock", source_type: "item" },
        ...{ source_id: `${prefix}-${i}`, sku: `${prefix}${i + 1}` },
      }));
      assert.equal((await load(rows)).imported, 1_000);
      assert.equal((await load(rows)).imported, 0);
    });
  });
});
