import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { db } from "../support/db.js";
import { auditMark, auditSince } from "../support/records.js";
import { openService, type TestService } from "../support/service.js";
import { unique } from "../support/unique.js";

const WAREHOUSES = "/api/admin/warehouses";
const LIST = "/api/warehouses/list";

describe("the clock of a warehouse", () => {
  let service: TestService;
  beforeEach(async () => {
    service = await openService({ env: { SERVICE_COMPANY_TIMEZONE: "Europe/Berlin" } });
  });
  afterEach(() => service.close());
  const made = (timezone?: string | null) =>
    service.admin.ok("POST", WAREHOUSES, { warehouse_code: unique(), warehouse_name: "Hall", timezone });
  const clocks = async (by = service.admin) => {
    const { warehouses, timezone } = await by.ok("GET", LIST);
    return [timezone, ...warehouses.map((one: { timezone: string }) => one.timezone).sort()];
  };

  it("is the company's until it has one of its own, and again when that is taken away", async () => {
    const { warehouse_id, timezone } = await made();
    assert.equal(timezone, null);
    assert.deepEqual(await clocks(), ["Europe/Berlin", "Europe/Berlin"]);
    const mark = await auditMark();
    const path = `${WAREHOUSES}/${warehouse_id}`;
    assert.equal((await service.admin.ok("PUT", path, { timezone: "America/New_York" })).timezone, "America/New_York");
    assert.equal((await service.admin.ok("GET", path)).timezone, "America/New_York");
    const [row] = await auditSince(mark);
    assert.deepEqual(row?.details.changed, { timezone: { old: null, new: "America/New_York" } });
    assert.deepEqual(await clocks(), ["America/New_York", "America/New_York"]);
    await service.admin.ok("PUT", path, { warehouse_name: "Hall 2" });
    assert.equal((await service.admin.ok("GET", path)).timezone, "America/New_York");
    assert.equal((await service.admin.put(path, { timezone: "europe/berlin" })).code, "unknown_time_zone");
    await service.admin.ok("PUT", path, { timezone: null });
    assert.deepEqual(await clocks(), ["Europe/Berlin", "Europe/Berlin"]);
  });

  it("is that of several together where they have the same, else the company's", async () => {
    const [east, west] = [await made("America/New_York"), await made("America/New_York")];
    assert.deepEqual(await clocks(), ["America/New_York", "America/New_York", "America/New_York"]);
    await service.admin.ok("PUT", `${WAREHOUSES}/${west.warehouse_id}`, { timezone: "Pacific/Auckland" });
    assert.deepEqual(await clocks(), ["Europe/Berlin", "America/New_York", "Pacific/Auckland"]);
    const clerk = await service.user({ warehouse_ids: [west.warehouse_id] });
    assert.deepEqual(await clocks(clerk), ["Pacific/Auckland", "Pacific/Auckland"]);
    await service.admin.ok("PUT", `${WAREHOUSES}/${east.warehouse_id}`, { is_active: false });
    assert.deepEqual(await clocks(), ["Pacific/Auckland", "Pacific/Auckland"]);
  });

  it("is refused where it is none, or one that the database does not know", async () => {
    for (const timezone of ["Berlin", "+02:00", "GMT+2", "UTC; x", "", "Mars/Olympus"])
      assert.equal((await service.admin.post(WAREHOUSES, { ...NEW, timezone })).status, 400, timezone);
    // The runtime takes names in any case.
    const { status, body } = await service.admin.post(WAREHOUSES, { ...NEW, timezone: "europe/berlin" });
    assert.equal(status, 400);
    assert.match(body.error, /^europe\/berlin is not a time zone of the IANA list/);
  });

  it("is kept from older data only if it is one", async () => {
    const step = new URL("../../../migrations/upgrade-0.3.0/0090_warehouse_clocks.sql", import.meta.url);
    const codes = [unique(), unique()];
    await db.run("alter table warehouses drop constraint warehouses_timezone_check");
    await db.run(
      `insert into warehouses (warehouse_code, warehouse_name, timezone)
       values ($1, 'A', 'Asia/Tokyo'), ($2, 'B', 'Tokyo time')`,
      codes,
    );
    const statements = readFileSync(step, "utf8")
      .replaceAll(/^--.*$/gm, "")
      .split(";");
    for (const one of statements) if (one.trim()) await db.run(one);
    const kept = await db.rows(
      "select timezone from warehouses where warehouse_code = any($1) order by warehouse_name",
      [codes],
    );
    assert.deepEqual(kept, [{ timezone: "Asia/Tokyo" }, { timezone: null }]);
  });
});

const NEW = { warehouse_code: "ODD", warehouse_name: "Odd" };
