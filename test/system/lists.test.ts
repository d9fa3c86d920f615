import assert from "node:assert/strict";
import { parse } from "csv-parse/sync";
import { z } from "zod";
import { listOf } from "../../api/http/lists.js";
import type { Route } from "../../api/http/route.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { useTestMappings } from "../support/inbound.js";
import { keyCaller } from "../support/keys.js";
import { listed, pathOf } from "../support/lists.js";
import { type Things, thingsIn, withTexts } from "../support/matrix/things.js";
import { testMessagesAreSentAtOnce } from "../support/notifications.js";
import { operations } from "../support/operations.js";
import { partnerCaller } from "../support/partners.js";
import { testService } from "../support/service.js";

type Row = Record<string, unknown>;

const lists = operations.flatMap((entry) => {
  const list = listOf(entry.route);
  // Those of partners are lists of admins for one connector: test/partners.
  if (!list || entry.route.for.kind === "partner") return [];
  const parameters = new Map(entry.operation.parameters.map(({ name, schema }) => [name, schema]));
  const sortable = /\((\w[\w|]*)\)/.exec(parameters.get("sort")?.pattern ?? "")?.[1]?.split("|") ?? [];
  return [
    {
      ...list,
      entry,
      name: entry.route.path,
      sortable,
      longest: Math.min(1_000, Number(parameters.get("per_page")?.maximum ?? 0)),
      takes: (name: string) => parameters.has(name),
    },
  ];
});
type List = (typeof lists)[number];

/** Routes that answer records of which a list is only a part. */
const noLists = [
  ...["dashboard", "inbox", "pos/summary", "search", "scope-catalog", "bins/:bin_id", "bins/map", "items/:item_id"],
  ...["connectors/:name/schedule", "connectors/:name/sync-status", "sales-orders/:so_id/picking-ticket"],
  ...["count-programmes/:programme_id/progress", "customers", "cycle-counts/:count_id"],
  ...["purchase-orders/:po_id", "sales-orders/:so_id/lines/:so_line_id/available-bins", "sales-orders/:so_id"],
  ...[
    "sales-orders/:so_id/related",
    "sales-orders/:so_id/why",
    "sales-orders/:so_id/story",
    "picker/transfer-orders/:to_id",
    "transfer-orders/:to_id",
    "waves/board",
  ],
  ...[
    "inspections/:inspection_id",
    "lots/:lot_id",
    "lots/:lot_id/trace",
    "recalls/:recall_id",
    "sign-in/mapping",
    "warehouses/:warehouse_id",
    "webhooks/:subscription_id/stats",
    "users/:user_id/factors",
    "users/:user_id/sessions",
  ],
];
const fieldsOf = ({ answers }: Route) => (answers[200] instanceof z.ZodObject ? answers[200].shape : {});
const isListOfRecords = (field: unknown) => field instanceof z.ZodArray && field.element instanceof z.ZodObject;

/** As Postgres orders them: null comes after all values. */
function compare(one: unknown, other: unknown): number {
  if (one === other) return 0;
  if (one === null || other === null) return one === null ? 1 : -1;
  return (one as string) < (other as string) ? -1 : 1;
}

/** As a file shows it. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "object") return JSON.stringify(value);
  const text = String(value);
  return typeof value === "string" && /^[=+@-]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
}

describe("each list of people's routes", function () {
  this.timeout(60_000);
  const service = testService({ worker: true, env: { DISPATCHER_ENABLED: "false" } });
  let things: Things;
  before(async () => {
    await testMessagesAreSentAtOnce();
    await useTestMappings();
    await db.run("insert into connectors values ('erp', '=ERP'), ('shop', 'Shop')");
    for (const [i, by] of [service.admin, service.admin, await service.user()].entries())
      await keyCaller(service, by, {
        key_name: `Key ${-i}`,
        is_read_only: i > 0,
        expires_at: `999${i}-01-01T00:00:00Z`,
      });
    for (const [i, connector_id] of ["erp", "shop", "shop"].entries()) {
      const expires_at = `999${i}-01-01T00:00:00Z`;
      await partnerCaller(service, { connector_id, link_name: `Link ${-i}`, expires_at });
    }
    for (const connector of ["erp", "shop"]) {
      const warehouse_id = await fixtures.warehouse();
      things = await withTexts(await thingsIn(service, warehouse_id, connector));
      await listed(things);
    }
  });

  const rowsOf = async ({ entry, field }: List, query: string): Promise<Row[]> =>
    (await service.admin.ok("GET", pathOf(entry, things, query)))[field];

  const allOf = (list: List, query: string) =>
    rowsOf(list, list.takes("page") ? `${query}&per_page=${list.longest}` : query);

  // Those of a path, or of a warehouse that must be named, are of one warehouse; people work in several.
  const ofSeveral = lists.filter(
    ({ entry, columns }) =>
      !entry.route.path.includes("/:") &&
      entry.route.path !== "/api/admin/users" &&
      !entry.operation.parameters.some(({ name, required }) => name === "warehouse_id" && required) &&
      (columns.some((column) => column === "warehouse_id" || column === "bin_id") ||
        entry.operation.parameters.some(({ name }) => name === "warehouse_id")),
  );
  for (const list of ofSeveral)
    it(`says of each record which warehouse it is of: ${list.name}`, async () => {
      assert.ok(list.columns.includes("warehouse_id") && list.columns.includes("warehouse_code"), String(list.columns));
      const rows = await allOf(list, "");
      const known = await db.rows<{ warehouse_id: number; warehouse_code: string }>(
        "select warehouse_id, warehouse_code from warehouses",
      );
      const codes = new Map(known.map(({ warehouse_id, warehouse_code }) => [warehouse_id, warehouse_code]));
      assert.ok(rows.length > 0);
      for (const { warehouse_id, warehouse_code } of rows)
        assert.equal(warehouse_code, codes.get(warehouse_id as number) ?? null);
    });

  /** All of them, from three pages where there are pages. */
  async function pagesOf(list: List, query: string, total: number): Promise<Row[]> {
    if (!list.takes("page")) return rowsOf(list, query);
    const per_page = Math.ceil(total / 3);
    const pages = [1, 2, 3].map((page) => rowsOf(list, `${query}&per_page=${per_page}&page=${page}`));
    return (await Promise.all(pages)).flat();
  }

  async function fileOf({ entry, columns }: List, query: string): Promise<Row[]> {
    const answer = await service.admin.with({ accept: "text/csv" }).get(pathOf(entry, things, query));
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.equal(answer.headers.get("content-type"), "text/csv; charset=utf-8");
    const [head, ...rows] = parse(answer.body) as string[][];
    assert.deepEqual(head, columns);
    return rows.map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i]])));
  }

  it("is one of these", () => {
    const others = operations.filter(
      ({ name, route }) =>
        name.startsWith("get /api/admin/") && !listOf(route) && Object.values(fieldsOf(route)).some(isListOfRecords),
    );
    assert.deepEqual(others.map(({ name }) => name.replace("get /api/admin/", "")).toSorted(), noLists.toSorted());
  });

  for (const list of lists) {
    it(`is sorted by each of its fields, both ways: ${list.name}`, async () => {
      assert.ok(list.sortable.length > 0);
      const plain = await allOf(list, "");
      assert.ok(plain.length > 0, "nothing to sort");
      for (const field of list.sortable)
        for (const way of ["", "-"]) {
          const sorted = await allOf(list, `sort=${way}${field}`);
          assert.equal(sorted.length, plain.length);
          const values = sorted.map((row) => row[field]);
          assert.ok(!values.includes(undefined), `${field} is no field`);
          const right = values.toSorted((one, other) => (way ? compare(other, one) : compare(one, other)));
          assert.deepEqual(values, right, `${way}${field}`);
        }
    });

    it(`is sorted by several fields, over all pages: ${list.name}`, async () => {
      const [first = "", second = first] = list.sortable.toReversed();
      const sorted = await allOf(list, `sort=${first},-${second}`);
      assert.deepEqual(await pagesOf(list, `sort=${first},-${second}`, sorted.length), sorted);
      const right = sorted.toSorted(
        (one, other) => compare(one[first], other[first]) || compare(other[second], one[second]),
      );
      assert.deepEqual(sorted, right);
    });

    if (list.takes("cursor"))
      it(`is read page after page by cursors, in any order: ${list.name}`, async () => {
        const [first = "", second = first] = list.sortable;
        const fields = list.sortable.flatMap((field) => [field, `-${field}`]);
        for (const sort of [...fields, `${first},-${second}`, `-${second},${first}`]) {
          const whole = await allOf(list, `sort=${sort}`);
          const per_page = Math.ceil(whole.length / 4);
          const read: Row[] = [];
          for (let cursor: string | null = "start"; cursor; ) {
            const page: Row = await service.admin.ok(
              "GET",
              pathOf(list.entry, things, `sort=${sort}&per_page=${per_page}&cursor=${cursor}`),
            );
            read.push(...(page[list.field] as Row[]));
            assert.equal(page.total, whole.length);
            cursor = page.next_cursor as string | null;
          }
          assert.deepEqual(read, whole, sort);
        }
        for (const cursor of ["begin", "bnVsbA", Buffer.from('["1","2","3","4","5"]').toString("base64url")]) {
          const { status, body } = await service.admin.get(pathOf(list.entry, things, `cursor=${cursor}`));
          assert.deepEqual([status, body.details?.[0]?.loc], [400, ["cursor"]], JSON.stringify(body));
        }
      });

    it(`refuses a field that it is not sorted by, by name: ${list.name}`, async () => {
      for (const sort of ["colour", `${list.sortable[0]},-colour`, "", "-", `${list.sortable[0]},`]) {
        const { status, body } = await service.admin.get(pathOf(list.entry, things, `sort=${sort}`));
        assert.deepEqual([status, body.details?.[0]?.loc], [400, ["sort"]], `${sort}: ${JSON.stringify(body)}`);
        if (sort.includes("colour")) assert.match(body.details[0].msg, /^Cannot sort by colour, only by \w/);
      }
    });

    it(`comes whole as a file: ${list.name}`, async () => {
      for (const query of ["", `sort=-${list.sortable[0]}`]) {
        const rows = await allOf(list, query);
        const cells = rows.map((row) => Object.fromEntries(list.columns.map((name) => [name, cell(row[name])])));
        assert.deepEqual(await fileOf(list, query), cells);
      }
    });

    if (list.columns.includes("updated_at") && list.sortable.includes("updated_at"))
      it(`gives what changed since: ${list.name}`, async () => {
        const rows = await allOf(list, "sort=updated_at");
        const since = rows[Math.floor(rows.length / 2)]?.updated_at as string;
        const query = `updated_since=${encodeURIComponent(since)}`;
        const changed = rows.filter(({ updated_at }) => (updated_at as string) >= since);
        assert.deepEqual(await allOf(list, `${query}&sort=updated_at`), changed);
        assert.equal((await fileOf(list, query)).length, changed.length);
        assert.deepEqual(await allOf(list, "updated_since=2100-01-01T00:00:00Z"), []);
        assert.deepEqual(await allOf(list, "updated_since=2000-01-01T00:00:00%2B02:00&sort=updated_at"), rows);
      });

    if (list.takes("totals"))
      it(`tells the sums of all that the filters leave, when asked: ${list.name}`, async () => {
        const answer = (query: string) => service.admin.ok("GET", pathOf(list.entry, things, query));
        const { totals } = await answer("totals=true&per_page=1");
        const rows = await allOf(list, "");
        assert.ok(Object.keys(totals).length > 0);
        for (const [name, sum] of Object.entries(totals))
          if (list.columns.includes(name))
            assert.equal(
              sum,
              rows.map((row) => row[name] as number).reduce((a, b) => a + b, 0),
              name,
            );
        assert.ok(!("totals" in (await answer("per_page=1"))));
      });

    const parameter = list.entry.operation.parameters.find(({ name }) => name === "after");
    if (parameter)
      it(`goes on behind any record, in the order of changes: ${list.name}`, async () => {
        const [example] = parameter.schema.examples as [string];
        const behind = (time: string) => `after=${time}${example.slice(example.indexOf(","))}`;
        const rows = await allOf(list, "sort=updated_at");
        assert.deepEqual(await allOf(list, behind("2000-01-01T00:00:00Z")), rows);
        assert.deepEqual(await allOf(list, behind("2100-01-01T00:00:00Z")), []);
      });
  }
});
