import { collectionById } from "../../src/carriers/collections/queries.js";
import type { Collection, NewCollection } from "../../src/carriers/collections/shapes.js";
import type { Label } from "../../src/carriers/label-shapes.js";
import { CarrierAccountInactive, CarrierAccountNotFound } from "../../src/carriers/problems.js";
import { ACCOUNT } from "../../src/carriers/queries.js";
import { CarrierAccount } from "../../src/carriers/shapes.js";
import { type Actor, checkWarehouse } from "../../src/platform/actor.js";
import { int } from "../../src/platform/db/columns.js";
import { closedDaysOf, dayBegins, todayAt, zoneOf } from "../../src/platform/db/days.js";
import { ConcurrentChange, command, type Tx } from "../command.js";

/** A collection begins with the first label that it has, or when somebody says so. */

const IdRow = { collection_id: int };

/** Begins a collection of a carrier, with the labels of today that no collection has; gives the one that is open. */
export function beginCollection(input: NewCollection, by: Actor): Promise<Collection> {
  return command("carriers.beginCollection", by, input, async (tx) => {
    const { account_id, carrier } = input;
    const sql = `select ${ACCOUNT} from carrier_accounts a where account_id = $1`;
    const account = await tx.row(CarrierAccount, sql, [account_id]);
    if (!account) throw CarrierAccountNotFound();
    checkWarehouse(by, account.warehouse_id);
    if (!account.is_active) throw CarrierAccountInactive({ account_name: account.account_name });
    const known = await openCollection(tx, account_id, carrier);
    const id = known ?? (await insertCollection(tx, account_id, carrier));
    await tx.run(
      `update label_purchases l set collection_id = $1
       from carrier_accounts a
       where a.account_id = $2 and l.account_id = $2 and l.carrier = $3 and l.status = 'bought'
         and l.collection_id is null and l.warehouse_id = a.warehouse_id
         and l.bought_at >= ${dayBegins(todayAt("a.warehouse_id"), zoneOf("a.warehouse_id"))}`,
      [id, account_id, carrier],
    );
    const made = (await collectionById(tx, id)) as Collection;
    if (known === undefined)
      tx.audit({ action: "COLLECTION_BEGIN", ...entityOf(made), details: { carrier, day: made.collection_day } });
    return made;
  });
}

/**
 * Puts a bought label into the collection of its carrier that is open, or begins the next one, where the account has
 * collections. Who asks for the manifest waits for it, and it does not come behind that.
 */
export async function joinCollection(
  tx: Tx,
  { purchase_id, account_id, carrier }: Pick<Label, "purchase_id" | "account_id" | "carrier">,
): Promise<void> {
  if (account_id === null || carrier === null) return;
  const id = await nextCollection(tx, account_id, carrier, "where it has a time");
  if (id !== undefined)
    await tx.run("update label_purchases set collection_id = $2 where purchase_id = $1", [purchase_id, id]);
}

/** The collection that is open for a carrier, else a new one. */
export async function nextCollection(
  tx: Tx,
  accountId: number,
  carrier: string,
  begin: "always" | "where it has a time",
): Promise<number | undefined> {
  const [open, timed] = await tx.inOrder([openCollection(tx, accountId, carrier), tx.row({}, HAS_TIME, [accountId])]);
  if (open !== undefined) return open;
  if (begin === "where it has a time" && !timed) return undefined;
  return insertCollection(tx, accountId, carrier);
}

const HAS_TIME = "select from carrier_accounts where account_id = $1 and collection_at is not null";

async function openCollection(tx: Tx, accountId: number, carrier: string): Promise<number | undefined> {
  const open = await tx.row(
    IdRow,
    `select collection_id from carrier_collections
     where account_id = $1 and carrier = $2 and status = 'open' and (cut_off_at is null or cut_off_at > now())
     order by collection_day limit 1 for share`,
    [accountId, carrier],
  );
  return open?.collection_id;
}

/** SQL: the warehouse of an account `a` is open on a `day`. */
const IS_OPEN = `array_position(${closedDaysOf("a.warehouse_id")}, day::date) is null`;

/**
 * SQL: the first day, from today on, on which a carrier of an account `a` comes, its cut-off ahead, and which no other
 * collection of it has than `but`. Its warehouse is open then; where people begin collections, today will always do.
 */
export const nextDayOf = (carrier: string, but = "null") => `
  select day::date, (day::date + a.collection_at) at time zone ${zoneOf("a.warehouse_id")} as cut_off
  from generate_series(
    greatest(${todayAt("a.warehouse_id")}, (select max(collection_day) + 1 from carrier_collections c
                                            where c.account_id = a.account_id and c.carrier = ${carrier}
                                              and c.collection_id is distinct from ${but})),
    ${todayAt("a.warehouse_id")} + 30 + 7 * cardinality(${closedDaysOf("a.warehouse_id")}), interval '1 day') day
  where case when a.collection_at is null then day::date = ${todayAt("a.warehouse_id")} or ${IS_OPEN}
             else extract(isodow from day) = any(a.collection_days) and ${IS_OPEN}
                  and (day::date + a.collection_at) at time zone ${zoneOf("a.warehouse_id")} > now() end
  order by day limit 1`;

const INSERT = `
  insert into carrier_collections (warehouse_id, account_id, carrier, collection_day, scan_out, cut_off_at)
  select a.warehouse_id, a.account_id, $2, d.day, a.scan_out, d.cut_off
  from carrier_accounts a cross join lateral (${nextDayOf("$2")}) d
  where a.account_id = $1
  on conflict do nothing returning collection_id`;

async function insertCollection(tx: Tx, accountId: number, carrier: string): Promise<number> {
  const made = await tx.row(IdRow, INSERT, [accountId, carrier]);
  if (!made) throw new ConcurrentChange("somebody else began the collection");
  return made.collection_id;
}

export const entityOf = ({ collection_id, warehouse_id }: Pick<Collection, "collection_id" | "warehouse_id">) => ({
  entity: "COLLECTION",
  entityId: collection_id,
  warehouseId: warehouse_id,
});
