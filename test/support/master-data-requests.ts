import { randomUUID } from "node:crypto";
import type { Caller } from "./caller.js";
import type { Change, Floor } from "./change.js";
import { db } from "./db.js";
import * as fixtures from "./fixtures.js";

/** How the routes that edit and delete master data are asked. */

const code = () => randomUUID().slice(0, 8).toUpperCase();

/** A request without a body, for a record that somebody just made. */
const bare = (by: Caller, path: string): Change => ({ by, path, body: {}, other: { again: true } });

async function zone({ by, warehouse_id }: Floor) {
  const { zone_id } = await by.ok("POST", "/api/admin/zones", {
    ...{ warehouse_id, zone_code: code() },
    ...{ zone_name: "Aisle", zone_type: "STORAGE" },
  });
  return `/api/admin/zones/${zone_id}`;
}

const bin = async ({ warehouse_id }: Floor) => `/api/admin/bins/${await fixtures.bin(warehouse_id)}`;

const item = async () => `/api/admin/items/${(await fixtures.item()).item_id}`;

async function vendor({ by }: Floor) {
  const body = { vendor_name: code() };
  const made = await by.ok("POST", "/api/admin/vendors", body);
  return `/api/admin/vendors/${made.canonical_id}`;
}

async function user({ by, warehouse_id }: Floor) {
  const { user_id } = await by.ok("POST", "/api/admin/users", {
    ...{ username: code(), full_name: "Ann", role: "USER" },
    ...{ password: "correct horse 1", warehouse_ids: [warehouse_id] },
  });
  return `/api/admin/users/${user_id}`;
}

/** A user whose badge somebody just made. */
async function userWithBadge(at: Floor) {
  const path = await user(at);
  await at.by.ok("POST", `${path}/badge`, {});
  return path;
}

/** The first of two bins that an item prefers. */
async function preferred({ by, warehouse_id }: Floor) {
  const { item_id } = await fixtures.item();
  const path = "/api/admin/preferred-bins";
  for (const bin_id of [await fixtures.bin(warehouse_id), await fixtures.bin(warehouse_id)])
    await by.ok("POST", path, { item_id, bin_id });
  const list = await by.ok("GET", `${path}?item_id=${item_id}`);
  return `${path}/${list.preferred_bins[0].preferred_bin_id}`;
}

async function putAwayRule({ by, warehouse_id }: Floor) {
  const path = "/api/admin/put-away-rules";
  const { rule_id } = await by.ok("POST", path, { warehouse_id, priority: 10, rule_name: "All" });
  return `${path}/${rule_id}`;
}

/** An edit of a record that somebody just made, and another. */
const edit =
  (record: (at: Floor) => Promise<string>, body: object, other: object) =>
  async (at: Floor): Promise<Change> => ({ by: at.by, path: await record(at), body, other });

const remove = (record: (at: Floor) => Promise<string>) => async (at: Floor) => bare(at.by, await record(at));

/** A lot with stock. */
async function lot({ by, warehouse_id }: Floor) {
  const { item_id } = await fixtures.item();
  await fixtures.stock(warehouse_id, await fixtures.bin(warehouse_id), item_id, 5, "LOT-7");
  const { lots } = await by.ok("GET", `/api/admin/lots?item_id=${item_id}`);
  return `/api/admin/lots/${lots[0].lot_id}`;
}
/** A lot of which there is another record of the right number, and one more lot. */
async function misspelt({ by, warehouse_id }: Floor) {
  const { item_id } = await fixtures.item();
  const bin_id = await fixtures.bin(warehouse_id);
  for (const number of ["LOT-7", "LOT-T", "LOT-8"]) await fixtures.stock(warehouse_id, bin_id, item_id, 5, number);
  const { lots } = await by.ok("GET", `/api/admin/lots?item_id=${item_id}&sort=lot_number`);
  const [into, another, wrong] = (lots as { lot_id: number }[]).map(({ lot_id }) => lot_id);
  return { path: `/api/admin/lots/${wrong}`, into, another };
}
async function heldLot(at: Floor) {
  const path = await lot(at);
  await at.by.ok("POST", `${path}/hold`, { reason: "complaint" });
  return path;
}

/** A stock row of ten units, of which two are on hold; where they are held and released, and where they are decided. */
async function held({ by, warehouse_id, stocked }: Floor, condition = "HOLD") {
  const { item_id } = await stocked();
  const { inventory } = await by.ok("GET", `/api/admin/inventory?item_id=${item_id}&warehouse_id=${warehouse_id}`);
  const path = `/api/admin/inventory/${inventory[0].inventory_id}/hold`;
  const { hold_id, inspection_id } = await by.ok("POST", path, { quantity: 2, condition, reason: "wet" });
  return {
    ...{ holding: path, releasing: `/api/admin/holds/${hold_id}/release` },
    deciding: `/api/admin/inspections/${inspection_id}/decide`,
  };
}

const warehouse = async () => `/api/admin/warehouses/${await fixtures.warehouse()}`;

const layoutOf = (depot: number) => ({
  ...{ cross_aisles: [0, 20], aisles: [{ aisle: "A", metres: 0 }], rows: [{ row: "1", metres: 2 }] },
  depot: { metres: depot },
});

/** Where the layout of a warehouse with an aisle is kept. */
async function layoutPath() {
  const warehouse_id = await fixtures.warehouse();
  const bin_id = await fixtures.bin(warehouse_id);
  await db.run("update bins set aisle = 'A' where bin_id = $1", [bin_id]);
  return `/api/admin/warehouses/${warehouse_id}/layout`;
}

async function layout({ by }: Floor) {
  const path = await layoutPath();
  await by.ok("PUT", path, layoutOf(0));
  return path;
}

export const masterDataChanges: Record<string, (at: Floor) => Promise<Change>> = {
  "put /api/admin/warehouses/:warehouse_id": edit(warehouse, { warehouse_name: "North" }, { warehouse_name: "South" }),
  "delete /api/admin/warehouses/:warehouse_id": remove(warehouse),
  "put /api/admin/warehouses/:warehouse_id/layout": edit(layoutPath, layoutOf(3), layoutOf(4)),
  "delete /api/admin/warehouses/:warehouse_id/layout": remove(layout),
  "put /api/admin/zones/:zone_id": edit(zone, { zone_name: "North" }, { is_active: false }),
  "delete /api/admin/zones/:zone_id": remove(zone),
  "put /api/admin/bins/:bin_id": edit(bin, { row_num: 7, bin_barcode: "B-7" }, { row_num: 8 }),
  "delete /api/admin/bins/:bin_id": remove(bin),
  "put /api/admin/items/:item_id": edit(item, { item_name: "Red mug", weight_lbs: 1.5 }, { item_name: "Green mug" }),
  "post /api/admin/items/:item_id/archive": async ({ by }) => bare(by, `${await item()}/archive`),
  "delete /api/admin/items/:item_id": remove(item),
  "post /api/admin/preferred-bins": async ({ by, warehouse_id }) => {
    const { item_id } = await fixtures.item();
    const bin_id = await fixtures.bin(warehouse_id);
    const body = { item_id, bin_id };
    return { by, body, other: { ...body, priority: 2 } };
  },
  "put /api/admin/preferred-bins/:preferred_bin_id": edit(preferred, { priority: 2 }, { priority: 1 }),
  "delete /api/admin/preferred-bins/:preferred_bin_id": remove(preferred),
  "post /api/admin/put-away-rules": async ({ by, warehouse_id }) => {
    const body = { warehouse_id, priority: 10, rule_name: "All" };
    return { by, body, other: { ...body, one_item: true } };
  },
  "put /api/admin/put-away-rules/:rule_id": edit(putAwayRule, { one_lot: true }, { one_item: true }),
  "delete /api/admin/put-away-rules/:rule_id": remove(putAwayRule),
  "put /api/admin/users/:user_id": edit(
    user,
    { password: "battery staple 2", page_keys: ["items"] },
    { password: "another staple 3" },
  ),
  "delete /api/admin/users/:user_id": remove(user),
  "post /api/admin/demo": async ({ by }) => {
    if ((await by.ok("GET", "/api/admin/demo")).demo) await by.ok("DELETE", "/api/admin/demo");
    return bare(by, "/api/admin/demo");
  },
  "delete /api/admin/demo": async ({ by }) => {
    if (!(await by.ok("GET", "/api/admin/demo")).demo) await by.ok("POST", "/api/admin/demo");
    return bare(by, "/api/admin/demo");
  },
  "put /api/admin/users/:user_id/sign-in": async (at) => ({
    ...{ by: at.by, path: `${await user(at)}/sign-in`, body: { is_linked: true }, other: { is_linked: false } },
  }),
  "put /api/admin/sign-in/mapping": async ({ by }) => {
    const body = { username_claim: code(), groups_claim: "groups", groups: [] };
    return { by, body, other: { ...body, groups_claim: "roles" } };
  },
  "post /api/admin/users/:user_id/badge": async (at) => ({
    ...{ by: at.by, path: `${await user(at)}/badge`, body: {}, other: { format: "zpl" } },
  }),
  "delete /api/admin/users/:user_id/badge": async (at) => bare(at.by, `${await userWithBadge(at)}/badge`),
  "put /api/auth/badge-pin": async (at) => {
    const path = await userWithBadge(at);
    const { username } = await at.by.ok("PUT", path, { role: "ADMIN" });
    const current_password = "correct horse 1";
    const { token } = await at.by.ok("POST", "/api/auth/login", { username, password: current_password });
    const by = at.by.with({ authorization: `Bearer ${token}` });
    return { by, body: { current_password, pin: "271828" }, other: { current_password, pin: "314159" } };
  },
  "post /api/admin/vendors": async ({ by }) => ({
    ...{ by, body: { vendor_name: "Potter" } },
    other: { vendor_name: "Weaver" },
  }),
  "put /api/admin/vendors/:canonical_id": edit(vendor, { phone: "1" }, { phone: "2" }),
  "delete /api/admin/vendors/:canonical_id": remove(vendor),
  "put /api/admin/lots/:lot_id": edit(lot, { notes: "arrived warm" }, { notes: "arrived cold" }),
  "post /api/admin/lots/:lot_id/hold": async (at) => ({
    ...{ by: at.by, path: `${await lot(at)}/hold`, body: { reason: "one" }, other: { reason: "two" } },
  }),
  "post /api/admin/inventory/:inventory_id/hold": async (at) => ({
    ...{ by: at.by, path: (await held(at)).holding },
    ...{ body: { quantity: 3, reason: "one" }, other: { quantity: 3, reason: "two" } },
  }),
  "post /api/inventory/report-damage": async ({ by, warehouse_id }) => {
    const [bin_id, { item_id }] = [await fixtures.bin(warehouse_id), await fixtures.item()];
    await fixtures.stock(warehouse_id, bin_id, item_id, 10);
    const body = { item_id, bin_id, quantity: 2, reason: "broken" };
    return { by, body, other: { ...body, reason: "wet" } };
  },
  "post /api/admin/holds/:hold_id/release": async (at) => ({
    ...{ by: at.by, path: (await held(at)).releasing },
    ...{ body: { quantity: 1, reason: "one" }, other: { quantity: 1, reason: "two" } },
  }),
  "post /api/admin/inspections/:inspection_id/decide": async (at) => ({
    ...{ by: at.by, path: (await held(at, "QUARANTINE")).deciding },
    body: { decision: "release", quantity: 1, reason: "one" },
    other: { decision: "damage", quantity: 1, reason: "two" },
  }),
  "post /api/admin/lots/:lot_id/merge": async (at) => {
    const { path, into, another } = await misspelt(at);
    return {
      ...{ by: at.by, path: `${path}/merge`, body: { into_lot_id: into, reason: "misspelt" } },
      other: { into_lot_id: another, reason: "misspelt" },
    };
  },
  "post /api/admin/lots/:lot_id/release": async (at) => ({
    ...{ by: at.by, path: `${await heldLot(at)}/release`, body: { reason: "one" }, other: { reason: "two" } },
  }),
};
