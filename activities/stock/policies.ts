import { z } from "zod";
import { bool, int, text } from "../../src/platform/db/columns.js";
import { todayAt } from "../../src/platform/db/days.js";
import type { Effects, Sql } from "../../src/platform/db/db.js";
import { DomainError } from "../../src/platform/problem.js";
import { dayAfter, daysUntil } from "../../src/platform/time.js";
import * as problems from "../../src/stock/problems.js";

/** What items ask of units that come (docs/lots.md, What an item asks for). */

const Policy = z.strictObject({
  item_id: int,
  sku: text,
  lot_policy: text,
  requires_expiry: bool,
  shelf_life_days: int.nullable(),
  shelf_life_from: text,
  min_days_at_receipt: int.nullable(),
  /** By the clock of the warehouse. */
  today: text,
});
type Policy = z.infer<typeof Policy>;

/** The policies of items that ask for something, by the item's id. */
export type Policies = Map<number, Policy>;

/** SQL: whether an item asks for something. */
export const ASKS = `(lot_policy <> 'optional' or requires_expiry or shelf_life_days is not null
  or min_days_at_receipt is not null)`;

/** @param binId A bin of the warehouse by whose clock it is today. */
export async function policiesOf(sql: Sql, binId: number | undefined, itemIds: number[]): Promise<Policies> {
  const rows = await sql.rows(
    Policy,
    `select item_id, sku, lot_policy, requires_expiry, shelf_life_days, shelf_life_from, min_days_at_receipt,
            ${todayAt("(select warehouse_id from bins where bin_id = $1)")}::text as today
     from items
     where item_id = any($2) and ${ASKS}`,
    [binId ?? null, itemIds],
  );
  return new Map(rows.map((row) => [row.item_id, row]));
}

/** Units that come, and what is known of them. */
export interface Arriving {
  itemId: number;
  lot: string | null;
  expiry: string | null;
  produced: string | null;
  /** What nobody said, but a label or the goods that were shipped: not refused where it is not wanted. */
  inferred?: { lot: boolean; produced: boolean };
  /** Stands for the last day where an item asks for one and there is no other. */
  bestBefore?: string | null;
  /** Whether a vendor sent them: then a shelf life may begin today, and enough of it must be left. */
  isNew: boolean;
}

const KnownLot = z.strictObject({
  item_id: int,
  lot_number: text,
  expiry_date: text.nullable(),
  production_date: text.nullable(),
});
type KnownLot = z.infer<typeof KnownLot>;

const lotOf = (itemId: number, lot: string) => `${itemId} ${lot}`;

/**
 * The units with the lot and the days that they get; refused, with the name of the field, where they are not as their
 * items ask.
 */
export async function asPoliciesAsk<T extends Arriving>(sql: Sql, policies: Policies, arrivals: T[]): Promise<T[]> {
  const judged = await judgedByPolicies(sql, policies, arrivals);
  return judged.map((units) => {
    if (units instanceof DomainError) throw units;
    return units;
  });
}

/** The same with the refusal in the place of what is refused. Entries of one lot share the days that one names. */
export async function judgedByPolicies<T extends Arriving>(
  sql: Sql,
  policies: Policies,
  arrivals: T[],
): Promise<(T | DomainError)[]> {
  const shared = sharedDays(arrivals);
  const known = await knownLots(
    sql,
    arrivals.filter(({ itemId }) => policies.has(itemId)),
  );
  return arrivals.map((units) => {
    const policy = policies.get(units.itemId);
    const key = units.lot === null ? "" : lotOf(units.itemId, units.lot);
    const { expiry = null, produced = null } = shared.get(key) ?? {};
    const told = { ...units, expiry: units.expiry ?? expiry, produced: units.produced ?? produced };
    return judged(told, policy, known.get(key));
  });
}

/** The same of one, whose item asks for what `policy` says. */
export function judged<T extends Arriving>(units: T, policy: Policy | undefined, known?: KnownLot): T | DomainError {
  try {
    return policy ? asAsked(withoutUnkeptLot(units, policy), policy, known) : withPossibleDays(units);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

function withoutUnkeptLot<T extends Arriving>(units: T, policy: Policy): T {
  const { lot, inferred } = units;
  const { sku, item_id, lot_policy } = policy;
  if (lot_policy === "none" && lot !== null) {
    if (!inferred?.lot) throw problems.LotNotKept({ sku, lot_number: lot }, { item_id, field: "lot_number" });
    return { ...units, lot: null };
  }
  if (lot_policy === "required" && lot === null) throw problems.LotRequired({ sku }, { item_id, field: "lot_number" });
  return units;
}

function expiryRequired({ sku, item_id, shelf_life_days, shelf_life_from }: Policy) {
  const byProduction = shelf_life_days !== null && shelf_life_from === "production";
  return problems.ExpiryRequired({ sku }, { item_id, field: byProduction ? "production_date" : "expiry_date" });
}

const earliest = (a: string | undefined, b: string | null) => (b !== null && (a === undefined || b < a) ? b : a);

/** The earliest days that are told of each lot. */
function sharedDays(arrivals: Arriving[]): Map<string, { expiry?: string; produced?: string }> {
  const shared = new Map<string, { expiry?: string; produced?: string }>();
  for (const { itemId, lot, expiry, produced } of arrivals) {
    if (lot === null) continue;
    const days = shared.get(lotOf(itemId, lot));
    const both = { expiry: earliest(days?.expiry, expiry), produced: earliest(days?.produced, produced) };
    shared.set(lotOf(itemId, lot), both as { expiry?: string; produced?: string });
  }
  return shared;
}

async function knownLots(sql: Sql, arrivals: Arriving[]): Promise<Map<string, KnownLot>> {
  const named = arrivals.filter(({ lot }) => lot !== null);
  if (named.length === 0) return new Map();
  const rows = await sql.rows(
    KnownLot,
    `select item_id, lot_number, expiry_date, production_date from lots
     where (item_id, lot_number) in (select * from unnest($1::int[], $2::text[]))`,
    [named.map(({ itemId }) => itemId), named.map(({ lot }) => lot)],
  );
  return new Map(rows.map((row) => [lotOf(row.item_id, row.lot_number), row]));
}

function asAsked<T extends Arriving>(units: T, policy: Policy, known: KnownLot | undefined): T {
  const { sku, item_id, today, shelf_life_days, shelf_life_from, min_days_at_receipt: least } = policy;
  const produced = units.produced ?? known?.production_date ?? null;
  if (produced !== null && produced > today)
    throw problems.ProducedLater({ sku, production_date: produced }, { item_id, field: "production_date" });
  const begins = shelf_life_from === "production" ? produced : units.isNew ? today : null;
  const computed = begins !== null && shelf_life_days !== null ? dayAfter(begins, shelf_life_days) : null;
  const bestBefore = policy.requires_expiry || least !== null ? (units.bestBefore ?? null) : null;
  const expiry = units.expiry ?? known?.expiry_date ?? bestBefore ?? computed;
  if (expiry === null) {
    if (policy.requires_expiry) throw expiryRequired(policy);
    return { ...units, produced, expiry };
  }
  refuseExpiryBefore(produced, expiry, units, sku);
  const days = daysUntil(expiry, today);
  if (units.isNew && least !== null && days < least)
    throw problems.TooFewDaysLeft({ sku, expiry_date: expiry, days, least }, { item_id, field: "expiry_date" });
  return { ...units, produced, expiry };
}

/** Of an item that asks for nothing: what a label says wrongly of the day of production is not taken. */
function withPossibleDays<T extends Arriving>(units: T): T {
  const { produced, expiry, inferred, itemId } = units;
  if (produced === null || expiry === null || produced <= expiry) return units;
  if (!inferred?.produced) refuseExpiryBefore(produced, expiry, units, `Item ${itemId}`);
  return { ...units, produced: null };
}

function refuseExpiryBefore(produced: string | null, expiry: string, { lot }: Arriving, item: string): void {
  if (produced === null || produced <= expiry) return;
  const units = lot === null ? item : `Lot ${lot}`;
  throw problems.ExpiresBeforeProduction(
    { units, expiry_date: expiry, production_date: produced },
    { field: "production_date" },
  );
}

/**
 * Records the days of production that were told of lots, where none is known. Before stock rows, as whoever holds a lot
 * locks it first.
 */
export async function recordProduction(tx: Effects, arrivals: Arriving[]): Promise<void> {
  const told = arrivals.filter(({ lot, produced }) => lot !== null && produced !== null);
  if (told.length === 0) return;
  await tx.run(
    `insert into lots (item_id, lot_number, production_date)
     select item_id, lot, min(produced) from unnest($1::int[], $2::text[], $3::date[]) as a(item_id, lot, produced)
     group by item_id, lot order by item_id, lot
     on conflict (item_id, lot_number) do update set production_date = excluded.production_date, updated_at = now()
       where lots.production_date is null`,
    [told.map(({ itemId }) => itemId), told.map(({ lot }) => lot), told.map(({ produced }) => produced)],
  );
}
