import { sealConfig } from "../../src/carriers/stored-config.js";
import type { Caller } from "./caller.js";
import type { Change, Floor } from "./change.js";
import { db } from "./db.js";
import { unique } from "./unique.js";
import { until } from "./until.js";

/** Carrier accounts, parcels with labels, and requests that change something of them. */

export const CARRIERS = "/api/admin/carriers";
export const RULES = "/api/admin/carrier-rules";
export const COLLECTIONS = "/api/shipping/collections";
const PARCELS = "/api/packing/parcels";

const SHIP_FROM = {
  ...{ name: "Acme Fulfilment", line1: "417 Montgomery Street", city: "San Francisco", state: "CA" },
  ...{ postal_code: "94104", country: "US", phone: "+1 555 0100" },
};

/** A sender to whose neighbours nothing is declared. */
export const FROM_EUROPE = {
  ...{ name: "Acme Versand", line1: "Hafen 4", city: "Hamburg", postal_code: "20457", country: "DE" },
};

/** An account with EasyPost, of which nothing is asked. */
export const accountBody = (warehouse_id: number, fields: object = {}) => ({
  ...{ warehouse_id, account_name: `Account ${unique()}`, carrier: "easypost", config: { api_key: "EZTK-1" } },
  ...{ ship_from: SHIP_FROM, ...fields },
});

/** As every service of a test has it. */
const KEYS = { encryptionKey: Buffer.alloc(32, 7).toString("base64"), encryptionKeysPrevious: [] };

/** An account in use, of which the rows alone know; by hand unless another carrier is named. */
export async function insertAccount(warehouse_id: number, carrier = "manual", config = {}): Promise<number> {
  const account_id = (await db.value<number>(
    "select nextval(pg_get_serial_sequence('carrier_accounts', 'account_id'))::int",
  )) as number;
  await db.run(
    `insert into carrier_accounts (account_id, warehouse_id, account_name, carrier, config_sealed, ship_from,
       label_format)
     values ($1, $2, $3, $4, $5, $6, 'pdf')`,
    [
      ...[account_id, warehouse_id, `Account ${unique()}`, carrier, sealConfig(account_id, config, KEYS)],
      JSON.stringify({ ...SHIP_FROM, line2: null, email: null }),
    ],
  );
  return account_id;
}

/** Where an order goes, in the United States. */
export const toAddress = (so_id: number, fields: Record<string, string | null> = {}) => {
  const to: Record<string, string | null> = {
    ...{ name: "Mary Miller", line1: "12 Main Street", city: "Springfield", state: "IL", postal_code: "62701" },
    ...{ country: "US", ...fields },
  };
  const set = Object.keys(to).map((part, at) => `shipping_address_${part} = $${at + 2}`);
  return db.run(`update sales_orders set ${set.join(", ")} where so_id = $1`, [so_id, ...Object.values(to)]);
};

/** A closed parcel of an order, of which the rows alone know. */
export const closedParcel = async (so_id: number, weight_lbs: number | null = 2): Promise<number> =>
  (await db.value<number>(
    `insert into parcels (so_id, warehouse_id, parcel_number, status, weight_lbs, closed_at, closed_by)
     select so_id, warehouse_id, 1 + (select count(*) from parcels p where p.so_id = so.so_id), 'CLOSED', $2, now(),
            'ann'
     from sales_orders so where so_id = $1 returning parcel_id`,
    [so_id, weight_lbs],
  )) as number;

/** The label of a parcel that was bought by hand. */
export const insertLabel = async (parcel_id: number, account_id: number, status = "bought"): Promise<number> =>
  (await db.value<number>(
    `insert into label_purchases (parcel_id, warehouse_id, purchase_number, status, account_id, carrier,
       tracking_number, bought_at, completed_at, requested_by)
     select parcel_id, warehouse_id, 1, $3, $2, 'UPS', '1Z' || parcel_id, now(), now(), 'ann'
     from parcels where parcel_id = $1 returning purchase_id`,
    [parcel_id, account_id, status],
  )) as number;

/** A shipped parcel whose carrier is asked where it is, of which the rows alone know; it left ten days ago. */
export async function trackedParcel(so_id: number, warehouse_id: number): Promise<number> {
  const parcel_id = await closedParcel(so_id);
  const account_id = await insertAccount(warehouse_id, "easypost", { api_key: "EZTK-1" });
  const purchase_id = await insertLabel(parcel_id, account_id);
  await db.run(
    `with label as (update label_purchases set remote_id = 'shp_' || purchase_id where purchase_id = $1
                    returning purchase_id, parcel_id, warehouse_id, account_id, tracking_number),
          left_with as (insert into item_fulfillments (so_id, warehouse_id) values ($2, $3) returning fulfillment_id),
          shipped as (
            update parcels p set status = 'SHIPPED', shipped_at = now() - interval '10 days', carrier = 'USPS',
              tracking_number = label.tracking_number, fulfillment_id = left_with.fulfillment_id
            from label, left_with where p.parcel_id = label.parcel_id)
     insert into parcel_trackings (purchase_id, parcel_id, warehouse_id, account_id, tracking_number)
     select purchase_id, parcel_id, warehouse_id, account_id, tracking_number from label`,
    [purchase_id, so_id, warehouse_id],
  );
  return parcel_id;
}

/** An open collection of UPS, of which the rows alone know; parcels are scanned as they are loaded. */
export const insertCollection = async (account_id: number, fields: { day?: string; carrier?: string } = {}) =>
  (await db.value<number>(
    `insert into carrier_collections (warehouse_id, account_id, carrier, collection_day, scan_out)
     select warehouse_id, account_id, $2, coalesce($3::date, current_date), true from carrier_accounts
     where account_id = $1
     on conflict (account_id, carrier, collection_day) do update set updated_at = now() returning collection_id`,
    [account_id, fields.carrier ?? "UPS", fields.day ?? null],
  )) as number;

/** Has a closed parcel shipped, of which the rows alone know. */
export async function shipByRows(parcel_id: number): Promise<number> {
  const fulfillment_id = (await db.value<number>(
    `insert into item_fulfillments (so_id, warehouse_id, carrier, tracking_number)
     select so_id, warehouse_id, carrier, tracking_number from parcels where parcel_id = $1 returning fulfillment_id`,
    [parcel_id],
  )) as number;
  await db.run("update parcels set status = 'SHIPPED', shipped_at = now(), fulfillment_id = $2 where parcel_id = $1", [
    ...[parcel_id, fulfillment_id],
  ]);
  return fulfillment_id;
}

const bare = (by: Caller, path: string): Change => ({ by, path, body: {}, other: { again: true } });

/** A parcel of an order, and an account by hand in its warehouse. */
async function labelled({ warehouse_id, order }: Floor) {
  const { so_id } = await order();
  return { parcel_id: await closedParcel(so_id), account_id: await insertAccount(warehouse_id) };
}

async function madeRule({ by, warehouse_id }: Floor): Promise<string> {
  const { rule_id } = await by.ok("POST", RULES, { warehouse_id, priority: 1, rule_name: "Light" });
  return `${RULES}/${rule_id}`;
}

/** A collection with a shipped parcel, which is loaded if wanted. */
async function collecting(at: Floor, isLoaded = false) {
  const { parcel_id, account_id } = await labelled(at);
  const purchase_id = await insertLabel(parcel_id, account_id);
  const collection_id = await insertCollection(account_id);
  await db.run("update label_purchases set collection_id = $2 where purchase_id = $1", [purchase_id, collection_id]);
  await shipByRows(parcel_id);
  const path = `${COLLECTIONS}/${collection_id}`;
  const body = { scanned_barcode: `PCL-${parcel_id}` };
  if (isLoaded) await at.by.ok("POST", `${path}/scan`, body);
  return { path, body, by: at.by };
}

/** The workflow of a collection that was closed has its manifest made meanwhile. */
const manifested = (by: Caller, path: string) => () =>
  until(async () => (await by.ok("GET", path)).collection.status === "manifested");

const accountAt = async ({ warehouse_id }: Floor) => `${CARRIERS}/${await insertAccount(warehouse_id)}`;

export const carrierChanges: Record<string, (at: Floor) => Promise<Change>> = {
  "post /api/admin/carriers": async ({ by, warehouse_id }) => {
    const body = accountBody(warehouse_id);
    return { by, body, other: { ...body, label_format: "zpl" } };
  },
  "put /api/admin/carriers/:account_id": async (at) => ({
    ...{ by: at.by, path: await accountAt(at), body: { account_name: "Main" }, other: { account_name: "Other" } },
  }),
  "delete /api/admin/carriers/:account_id": async (at) => bare(at.by, await accountAt(at)),
  "post /api/admin/carrier-rules": async ({ by, warehouse_id }) => {
    const body = { warehouse_id, priority: 1, rule_name: "Light" };
    return { by, body, other: { ...body, priority: 2 } };
  },
  "put /api/admin/carrier-rules/:rule_id": async (at) => ({
    ...{ by: at.by, path: await madeRule(at), body: { priority: 2 }, other: { priority: 3 } },
  }),
  "delete /api/admin/carrier-rules/:rule_id": async (at) => bare(at.by, await madeRule(at)),
  "post /api/packing/parcels/:parcel_id/label": async (at) => {
    const { parcel_id, account_id } = await labelled(at);
    const body = { account_id, tracking_number: "1Z999" };
    return { by: at.by, path: `${PARCELS}/${parcel_id}/label`, body, other: { ...body, tracking_number: "1Z998" } };
  },
  "post /api/admin/parcels/:parcel_id/tracking/close": async ({ by, warehouse_id, order }) => {
    const { so_id } = await order();
    const path = `/api/admin/parcels/${await trackedParcel(so_id, warehouse_id)}/tracking/close`;
    return { by, path, body: { reason: "Sent again" }, other: { reason: "Found" } };
  },
  "post /api/packing/labels/:purchase_id/void": async (at) => {
    const { parcel_id, account_id } = await labelled(at);
    return bare(at.by, `/api/packing/labels/${await insertLabel(parcel_id, account_id)}/void`);
  },
  "post /api/packing/labels/:purchase_id/write-off": async (at) => {
    const { parcel_id, account_id } = await labelled(at);
    const path = `/api/packing/labels/${await insertLabel(parcel_id, account_id, "void_failed")}/write-off`;
    return { by: at.by, path, body: { reason: "Used" }, other: { reason: "Lost" } };
  },
  [`post ${COLLECTIONS}`]: async ({ by, warehouse_id }) => {
    const body = { account_id: await insertAccount(warehouse_id), carrier: "UPS" };
    return { by, body, other: { ...body, carrier: "DHL" } };
  },
  [`post ${COLLECTIONS}/:collection_id/scan`]: async (at) => {
    const { path, ...more } = await collecting(at);
    return { ...more, path: `${path}/scan`, other: { scanned_barcode: "1Z0" } };
  },
  [`post ${COLLECTIONS}/:collection_id/take-off`]: async (at) => {
    const { path, ...more } = await collecting(at, true);
    return { ...more, path: `${path}/take-off`, other: { scanned_barcode: "1Z0" } };
  },
  [`post ${COLLECTIONS}/:collection_id/close`]: async (at) => {
    const { path } = await collecting(at);
    return { ...bare(at.by, `${path}/close`), settled: manifested(at.by, path) };
  },
  [`post ${COLLECTIONS}/:collection_id/hand-over`]: async (at) => {
    const { path, by } = await collecting(at, true);
    const bodies = { body: { driver_name: "Jo" }, other: { driver_name: "Mo" } };
    return { by, path: `${path}/hand-over`, ...bodies, settled: manifested(by, path) };
  },
};
