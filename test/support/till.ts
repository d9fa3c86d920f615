import { randomUUID } from "node:crypto";
import type { Token } from "../../src/auth/tokens/token.js";
import type { Answer, Caller } from "./caller.js";
import { db } from "./db.js";
import { bin, item, stock, warehouse } from "./fixtures.js";
import { openService, type TestService } from "./service.js";
import { tokenCaller } from "./tokens.js";

/** A shop with a shelf and two items, and a till that may sell there. */
export interface Shop {
  warehouse_id: number;
  /** The code, which is what tills say. */
  warehouse: string;
  bin_id: number;
  bin: string;
  item_id: number;
  sku: string;
  inventory_id: number;
  till: Caller;
  token_id: number;
}

/** What a till sends; a test says what differs. */
// biome-ignore lint/suspicious/noExplicitAny: tests send whatever they like
type Fields = Record<string, any>;

export const PATH = "/api/v1/pos";

export const codeOfWarehouse = async (id: number) =>
  (await db.value<string>("select warehouse_code as code from warehouses where warehouse_id = $1", [id])) as string;
export const codeOfBin = async (id: number) =>
  (await db.value<string>("select bin_code as code from bins where bin_id = $1", [id])) as string;

export const tillOf = (service: Pick<TestService, "config" | "anyone">, token: Partial<Token>) =>
  tokenCaller(service, { endpoints: ["pos.dispatch"], ...token });

/** Opens a shop of its own, with so many units of one item on its shelf. */
export async function openShop(service: TestService, units = 10): Promise<Shop> {
  const warehouse_id = await warehouse();
  const bin_id = await bin(warehouse_id);
  const { item_id, sku } = await item();
  const inventory_id = await stock(warehouse_id, bin_id, item_id, units);
  const { caller: till, token_id } = await tillOf(service, { warehouse_ids: [warehouse_id] });
  const [code, binCode] = await Promise.all([codeOfWarehouse(warehouse_id), codeOfBin(bin_id)]);
  return { warehouse_id, warehouse: code, bin_id, bin: binCode, item_id, sku, inventory_id, till, token_id };
}

/**
 * A service for a file of tests, and for each of them a shop of its own.
 * @param units What lies on the shelf of each shop.
 */
export function shopForEachTest({ env = {}, units = 10 }: { env?: Record<string, string>; units?: number } = {}) {
  let service: TestService;
  let shop: Shop;
  before(async () => {
    service = await openService({ env });
  });
  beforeEach(async () => {
    shop = await openShop(service, units);
  });
  after(() => service.close());
  return {
    get service() {
      return service;
    },
    get shop() {
      return shop;
    },
  };
}

/** For tests in which one waits for what another has locked, however slow the machine is. */
export const PATIENT = { SERVICE_POS_LOCK_TIMEOUT_MS: "30000", SERVICE_POS_STATEMENT_TIMEOUT_MS: "30000" };

/** A line of the shop's item. */
export const lineOf = (shop: Pick<Shop, "sku" | "warehouse" | "bin">, quantity = 1, fields: Fields = {}) => ({
  ...{ sku: shop.sku, warehouse_id: shop.warehouse, bin_id: shop.bin, quantity },
  ...{ unit_price_cents: 1000, tax_cents: 200, line_total_cents: 1200 },
  ...fields,
});

export const cash = (amount_cents: number) => ({
  ...{ type: "cash", amount_cents, amount_tendered_cents: amount_cents + 100, change_cents: 100 },
});
export const card = (amount_cents: number) => ({
  ...{ type: "card", amount_cents, card_brand: "visa", card_last4: "4242" },
  ...{ auth_code: "A1B2C3", external_ref: "ch_1" },
});

/** A sale of the shop's item, paid in cash. */
export function saleOf(shop: Pick<Shop, "sku" | "warehouse" | "bin">, fields: Fields = {}): Fields {
  const { payment_summary, ...rest } = fields;
  return {
    ...{ idempotency_key: randomUUID(), cashier_id: "cashier-7", terminal_id: "till-2" },
    completed_at: "2026-05-06T12:00:00Z",
    payment_summary: {
      method: "cash",
      subtotal_cents: 1000,
      tax_cents: 200,
      total_cents: 1200,
      tenders: [cash(payment_summary?.total_cents ?? 1200)],
      ...payment_summary,
    },
    lines: [lineOf(shop)],
    ...rest,
  };
}

export const checkOut = (till: Caller, sale: Fields): Promise<Answer> => till.post(`${PATH}/checkout`, sale);

/** The order that has the number, with its lines. */
export async function orderOf(so_number: string): Promise<Fields> {
  const order = await db.row<Fields>("select * from sales_orders where so_number = $1", [so_number]);
  if (!order) throw new Error(`no order ${so_number}`);
  const lines = await db.rows("select * from sales_order_lines where so_id = $1 order by line_number", [order.so_id]);
  return { ...order, lines };
}

/** The audit row of an action on an order. */
export const auditOf = async (so_id: number, action = "POS_CHECKOUT"): Promise<Fields> =>
  (await db.row<Fields>("select * from audit_log where entity_type = 'SO' and entity_id = $1 and action_type = $2", [
    so_id,
    action,
  ])) as Fields;

/** How many orders there are. */
export const orders = async (): Promise<number> =>
  (await db.value<number>("select count(*)::int as n from sales_orders")) as number;
