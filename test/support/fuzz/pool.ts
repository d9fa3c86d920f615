import { db } from "../db.js";
import { kinds, meaningOf } from "../matrix/id-names.js";
import type { Things } from "../matrix/things.js";
import { resolved } from "./values.js";

/** So many things of a kind are remembered; newer ones take the places of older ones. */
const MOST = 40;
const MOST_WORLDS = 12;

/** Beyond the ids that any request draws: nobody deletes who asks. */
export const ASKERS_FROM = 1_500_000_000;
const isAsker = (what: string, value: unknown) => (what === "user" || what === "token") && Number(value) >= ASKERS_FROM;

/** What there is, by kind or by name: what was made at first, and what answers told of since. */
export class Pool {
  readonly #things = new Map<string, unknown[]>();
  readonly #worlds: Record<string, unknown[]>[] = [];
  #told = 0;

  add(what: string, ...values: unknown[]): void {
    const known = this.#things.get(what) ?? [];
    this.#things.set(what, known);
    for (const value of values) {
      if (known.includes(value) || isAsker(what, value)) continue;
      if (known.length < MOST) known.push(value);
      else known[this.#told++ % MOST] = value;
    }
  }

  /** Things that belong together. */
  async addWorld(things: Things): Promise<void> {
    const goods = await db.row<{ item_id: number[]; scanned_barcode: string[] }>(
      `select array(select item_id from purchase_order_lines where po_id = any($2)
                    union all select item_id from sales_order_lines where so_id = any($1)) as item_id,
              array(select sku from pick_tasks join items using (item_id) where pick_task_id = any($3)
                    union all
                    select sku from sales_order_lines join items using (item_id)
                    where so_id = any($1)) as scanned_barcode`,
      [things.order, things.purchaseOrder, things.pickTask],
    );
    this.#worlds.push({ ...things, ...goods });
    if (this.#worlds.length > MOST_WORLDS) this.#worlds.shift();
    for (const kind of kinds) this.add(kind, ...things[kind]);
  }

  /** What is of all warehouses, as the tables have it. */
  async addShared(): Promise<void> {
    for (const [what, query] of [
      ["item_id", "select item_id from items order by item_id desc limit 30"],
      ["sku", "select sku from items order by item_id desc limit 30"],
      ["scanned_barcode", "select upc from items order by item_id desc limit 30"],
      ["code", "select sku from items order by item_id desc limit 5"],
      ["upc", "select upc from items limit 10"],
      ["canonical_id", "select canonical_id from vendors limit 10"],
      ["connector_id", "select connector_id from connectors limit 10"],
      ["key", "select key from app_settings"],
    ] as const)
      this.add(what, ...(await db.rows<object>(query)).flatMap((row) => Object.values(row)));
    this.add("source_system", "shop", "clock", "needy");
    this.add("type", "ship.confirmed", "receipt.completed");
    this.add("version", "1", "2");
    this.add("resource", "sales_orders", "items", "customers");
    this.add("entity_type", "items", "bins", "sales-orders");
    this.add("entity_type", "purchase_orders", "inventory-adjustments", "source-links");
    this.add("after", "0", "1");
    this.add("cursor", "0", "1", "5");
  }

  /** Learns the ids that an answer names. */
  learn(answer: unknown): void {
    if (!answer || typeof answer !== "object") return;
    for (const [name, value] of Object.entries(answer)) {
      const what = Array.isArray(answer) ? undefined : meaningOf("", name);
      if (what && (typeof value === "string" || typeof value === "number")) this.add(what, value);
      else this.learn(value);
    }
  }

  /** The value with what is known in its places: mostly things that belong together, which `world` chooses. */
  resolve(value: unknown, world: number): unknown {
    const together = this.#worlds[world % this.#worlds.length] ?? {};
    return resolved(value, ({ what, n, whole }) => {
      const near = n % 4 === 0 ? undefined : together[what];
      const things = near ?? this.#things.get(what) ?? [];
      // The first of each kind are about one another.
      const thing = things[near && n % 8 < 5 ? 0 : n % things.length] ?? 1;
      return whole && Number.isInteger(Number(thing)) ? Number(thing) : thing;
    });
  }
}
