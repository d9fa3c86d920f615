import { z } from "zod";
import { type Actor, mayUseWarehouse } from "../../src/platform/actor.js";
import { bool, int, text, time } from "../../src/platform/db/columns.js";
import { todayAt } from "../../src/platform/db/days.js";
import { mayBecome, salesOrderStates } from "../../src/platform/states.js";
import { OrderStatus } from "../../src/platform/statuses.js";
import { groupBy } from "../../src/platform/values.js";
import { checkTenders, decimalOfCents } from "../../src/pos/money.js";
import { TenderMismatch } from "../../src/pos/problems.js";
import { isFullyRefunded, namedUnits, notInOrder, restOf, SoldItem, UnitsInBin } from "../../src/pos/refund.js";
import * as problems from "../../src/pos/refund-problems.js";
import type { RefundMade, RefundRequest } from "../../src/pos/refund-shapes.js";
import { takeOrderId } from "../../src/returns/queries.js";
import { TakenBack } from "../../src/returns/returnable.js";
import { OrderType } from "../../src/sales-orders/shapes.js";
import { OPEN_BINS } from "../../src/stock/queries.js";
import { ConcurrentChange, command, type Tx } from "../command.js";
import { INHERITED, takenBackOf } from "../returns/create.js";
import { shippedFrom } from "../returns/lots.js";
import { cancelLocked } from "../sales-orders/cancel.js";
import { childNumber } from "../sales-orders/child-number.js";
import { type ActionOrder, lockWithPicks } from "../sales-orders/orders-with-picks.js";
import { waitForSameKey } from "../same-key.js";
import { refundSerials } from "../serials/till.js";
import { expectIncrease, expectIncreaseFrom } from "../stock/backorders.js";
import { addStock } from "../stock/stock.js";
import { bookAtTill, limitWaits, type PosTimeouts } from "./book.js";
import { refusingSerials } from "./refusing-serials.js";

const Sale = z.strictObject({
  so_id: int,
  so_number: text,
  warehouse_id: int,
  status: OrderStatus,
  order_type: OrderType,
  order_source: text,
  /** The time of the payment. */
  created_at: time,
  expired: bool,
  refund_so_number: text.nullable(),
  /** A part was split off it that is not refunded. */
  has_open_backorder: bool,
});
type Sale = z.infer<typeof Sale>;
const Named = Sale.pick({ status: true, so_id: true }).extend({ paid_so_id: int });
type Named = z.infer<typeof Named>;

/**
 * Refunds a counter sale, or a part of it (docs/interface.md, Tills), with a credit memo `<number>-REFUND[-n]` of
 * negative quantities and totals. The units go back into bins as the lots that they were, and orders that wait for them
 * are looked at. When all units are back, the sale is REFUNDED. A paid order that never left the warehouse is refunded
 * as a whole: if it is still to be shipped it is cancelled. The till decides the amount, but it is never more than was
 * paid. Audit POS_REFUND, no event.
 */
export function refundSale(input: RefundRequest, by: Actor, timeouts: PosTimeouts): Promise<RefundMade> {
  return command("pos.refund", by, input, async (tx) => {
    const number = [input.original_so_id];
    const [, , before] = await Promise.all([
      limitWaits(tx, timeouts),
      waitForSameKey(tx, by),
      tx.row(Named, NAMED, number),
    ]);
    const unshipped = before && isUnshipped(before) ? await lockUnshipped(tx, before) : [];
    const [, , found, payment, items, takenBack, soldFrom] = await tx.inOrder([
      tx.run(LOCK_PAID, number),
      tx.run(LOCK_SALE, number),
      tx.row(Sale, READ_SALE, number),
      tx.row(Payment, PAYMENT, number),
      tx.rows(SoldItem, ITEMS, number),
      tx.rows(TakenBack, takenBackOf(SALE), number),
      tx.rows(UnitsInBin, shippedFrom(SALE), number),
    ]);
    const sale = refundable(found, payment, input, by);
    if (isUnshipped(sale) && unshipped.length === 0) throw new ConcurrentChange("the order is open again");
    if (isUnshipped(sale)) {
      const freed = await expectIncreaseFrom(tx, [sale.so_id]);
      await cancelLocked(tx, freed, unshipped, () => ({ reason: "refunded" }), by);
    }
    const sold = items.map((item) => ({ ...item, takenBack: takenBack.find((one) => one.item_id === item.item_id) }));
    const units = input.lines ? namedUnits(sold, input.lines, soldFrom) : restOf(sold, soldFrom);
    const places = [units.map((u) => u.warehouse_id), units.map((u) => u.bin_id)];
    const [, bins, increase, so_number, so_id] = await tx.inOrder([
      tx.run(LOCK_BINS, places),
      tx.rows(Bin, BINS, places),
      expectIncrease(tx, "adjustment", PLACES, [units.map((u) => u.item_id), units.map((u) => u.warehouse_id)]),
      childNumber(tx, sale, "REFUND"),
      takeOrderId(tx),
    ]);
    const arrivals = units.map((one) => arrival(one, bins, sold, by));
    const fully_refunded = isFullyRefunded(sold, units);
    const made = { so_id, so_number };
    const cashier: Actor = { ...by, username: input.cashier_id };
    await refusingSerials(refundSerials(tx, unitsByItem(arrivals, sold, input), sale, made, cashier));
    await Promise.all([
      insertMemo(tx, sale, made, units, input),
      addStock(tx.later, increase, arrivals),
      fully_refunded && tx.later.run(REFUNDED, [sale.so_id, made.so_id]),
    ]);
    record(tx, sale, made, { units, sold, fully_refunded }, input, by);
    return {
      ...{ refund_so_id: so_number, original_so_id: sale.so_number, replayed: false },
      fully_refunded: fully_refunded && !sale.has_open_backorder,
    };
  });
}

const Payment = z.strictObject({
  method: text,
  paid_cents: int,
  /** What was paid back of the payment, on the order and on the orders that were split off it. */
  refunded_cents: int,
});
type Payment = z.infer<typeof Payment>;

const Bin = z.strictObject({ bin_id: int, bin_code: text, warehouse_id: int, warehouse_code: text });
type Bin = z.infer<typeof Bin>;

const SALE = "(select so_id from sales_orders where so_number = $1)";

/** The order that was paid: the sale itself, or the order that a backorder was split off. */
const PAID = `
  (select case order_type when 'backorder' then parent_so_id else so_id end
   from sales_orders where so_number = $1)`;

const NAMED = `
  select so_id, status, coalesce(${PAID}, so_id) as paid_so_id from sales_orders where so_number = $1`;

/** The paid order comes first, because it is the older one: orders are locked by id. */
const LOCK_PAID = `select from sales_orders where so_id = ${PAID} for update`;
const LOCK_SALE = "select from sales_orders where so_number = $1 for update";

const READ_SALE = `
  select sale.so_id, sale.so_number, sale.warehouse_id, sale.status, sale.order_type, sale.order_source,
    paid.created_at, paid.created_at < now() - interval '90 days' as expired, memo.so_number as refund_so_number,
    exists (select from sales_orders b where b.parent_so_id = sale.so_id and b.order_type = 'backorder'
              and b.status <> 'REFUNDED') as has_open_backorder
  from sales_orders sale join sales_orders paid on paid.so_id = ${PAID}
  left join sales_orders memo on memo.so_id = sale.refund_so_id
  where sale.so_number = $1`;

const PAYMENT = `
  select payment_method as method, total_cents as paid_cents,
    (select coalesce(sum(round(-memo.order_total * 100)), 0)::bigint from sales_orders memo
     where memo.order_type = 'refund' and memo.parent_so_id in (
       select so_id from sales_orders
       where so_id = ${PAID} or (parent_so_id = ${PAID} and order_type = 'backorder'))) as refunded_cents
  from counter_bookings where so_id = ${PAID} and not is_refund`;

const ITEMS = `
  select item_id, sku, sum(quantity_shipped) as shipped
  from sales_order_lines join items using (item_id) where so_id = ${SALE}
  group by item_id, sku order by min(line_number), item_id`;

const BINS = `
  select bin_id, bin_code, warehouse_id, warehouse_code from ${OPEN_BINS} b
  where (warehouse_code, bin_code) in (select * from unnest($1::text[], $2::text[]))`;
const LOCK_BINS = `select from bins where bin_id in (select bin_id from (${BINS}) named) order by bin_id for key share`;

const PLACES = {
  items: "select distinct unnest($1::int[])",
  warehouses: "select warehouse_id from warehouses where warehouse_code = any($2)",
};

const REFUNDED = `
  update sales_orders set status = 'REFUNDED', refunded_at = now(), refund_so_id = $2, updated_at = clock_timestamp()
  where so_id = $1`;

const saleTypes: readonly OrderType[] = ["sale", "replacement", "exchange", "backorder"];

/** Locks an order that may still be cancelled, and the one that was paid with it. */
async function lockUnshipped(tx: Tx, { so_id, paid_so_id }: Named): Promise<ActionOrder[]> {
  const locked = await lockWithPicks(tx, async () => [paid_so_id, so_id]);
  return locked.filter((order) => order.so_id === so_id);
}

/** For an order that may still be cancelled. */
const isUnshipped = ({ status }: Pick<Sale, "status">) => mayBecome(salesOrderStates, status, "CANCELLED");

/** The locked sale. Throws where it cannot be refunded, as when no till booked it. */
function refundable(sale: Sale | undefined, payment: Payment | undefined, input: RefundRequest, by: Actor): Sale {
  const missing = () => problems.OriginalSoNotFound({ so_number: input.original_so_id });
  if (!sale || !payment || sale.order_source !== "pos" || !saleTypes.includes(sale.order_type)) throw missing();
  if (!mayUseWarehouse(by, sale.warehouse_id)) throw missing();
  const { so_number } = sale;
  if (sale.status === "REFUNDED")
    throw problems.AlreadyRefunded({ so_number }, { existing_refund_so_id: sale.refund_so_number });
  if (sale.status !== "SHIPPED" && sale.status !== "CANCELLED" && !isUnshipped(sale)) throw missing();
  if (sale.expired) throw problems.RefundWindowExpired({ so_number }, { original_created_at: sale.created_at });
  const { refund_summary: refund } = input;
  const methods = { original_method: payment.method, refund_method: refund.method };
  if (methods.original_method !== methods.refund_method)
    throw TenderMismatch({ reason: `${so_number} was paid by ${payment.method}, not ${refund.method}` }, methods);
  checkTenders(refund);
  const { paid_cents, refunded_cents } = payment;
  const money = { paid_cents, refunded_cents, requested_cents: refund.total_cents };
  if (refunded_cents + refund.total_cents > paid_cents)
    throw problems.RefundExceedsPaid({ so_number, ...money }, money);
  return sale;
}

/** The stock row that units go to; 422 where their bin is unknown, or is of a warehouse that the till may not use. */
function arrival(
  { item_id, quantity, lot_number: lot, expiry_date: expiry, ...place }: UnitsInBin,
  bins: Bin[],
  sold: SoldItem[],
  by: Actor,
) {
  const bin = bins.find((one) => one.warehouse_code === place.warehouse_id && one.bin_code === place.bin_id);
  if (!bin || !mayUseWarehouse(by, bin.warehouse_id)) throw notInOrder({ ...place, sku: skuOf(sold, item_id) });
  return { itemId: item_id, binId: bin.bin_id, warehouseId: bin.warehouse_id, lot, expiry, quantity };
}

/** What comes back of each item, where it goes first, and the serials that the till names. */
function unitsByItem(arrivals: ReturnType<typeof arrival>[], sold: SoldItem[], { lines }: RefundRequest) {
  const items = [...groupBy(arrivals, ({ itemId }) => itemId)];
  return items.map(([item_id, units]) => {
    const sku = skuOf(sold, item_id);
    const [first] = units as [(typeof units)[number]];
    return {
      ...{ item_id, sku, warehouse_id: first.warehouseId, lot: first.lot },
      quantity: units.reduce((sum, { quantity }) => sum + quantity, 0),
      serial_numbers: (lines ?? []).flatMap((line) => (line.sku === sku ? (line.serial_numbers ?? []) : [])),
    };
  });
}

const skuOf = (sold: SoldItem[], itemId: number) => sold.find((one) => one.item_id === itemId)?.sku ?? "";

interface Memo {
  so_id: number;
  so_number: string;
}

/** The credit memo. Each item has a line, which refers to the original line where there is only one. */
async function insertMemo(tx: Tx, sale: Sale, memo: Memo, units: UnitsInBin[], input: RefundRequest): Promise<void> {
  const { total_cents, shipping_cents } = input.refund_summary;
  await tx.later.run(
    `with memo as (
       insert into sales_orders
         (so_id, so_number, so_barcode, status, order_type, parent_so_id, order_total, customer_shipping_paid,
          external_txn_ref, shipped_at, order_date, created_by, ${INHERITED})
       select :so_id, :so_number, :so_number, 'SHIPPED', 'refund', so_id, :total, :shipping, :reference,
         :completed_at, ${todayAt("sales_orders.warehouse_id")}, :cashier_id, ${INHERITED}
       from sales_orders where so_id = :sale
     ), refunded as (
       select item_id, sum(quantity) as quantity, min(place) as place
       from unnest(:item_ids::int[], :quantities::int[]) with ordinality as u(item_id, quantity, place) group by item_id
     )
     insert into sales_order_lines
       (so_id, item_id, quantity_ordered, line_number, status, original_so_line_id, properties)
     select :so_id, r.item_id, -quantity, row_number() over (order by place), 'SHIPPED', so_line_id,
       coalesce(properties, '[]')
     from refunded r left join sales_order_lines l on so_line_id =
       (select min(so_line_id) from sales_order_lines o
        where o.so_id = :sale and o.item_id = r.item_id having count(*) = 1)
     order by place`,
    {
      sale: sale.so_id,
      so_id: memo.so_id,
      so_number: memo.so_number,
      total: decimalOfCents(-total_cents),
      shipping: decimalOfCents(-shipping_cents),
      reference: input.external_refund_ref ?? null,
      completed_at: input.completed_at,
      cashier_id: input.cashier_id,
      item_ids: units.map((one) => one.item_id),
      quantities: units.map((one) => one.quantity),
    },
  );
}

function record(
  tx: Tx,
  sale: Sale,
  memo: Memo,
  { units, sold, fully_refunded }: { units: UnitsInBin[]; sold: SoldItem[]; fully_refunded: boolean },
  { idempotency_key, original_external_txn_ref, external_refund_ref, terminal_id, ...input }: RefundRequest,
  by: Actor,
): void {
  const { method, total_cents, shipping_cents, tenders } = input.refund_summary;
  bookAtTill(tx, {
    ...{ so_id: memo.so_id, is_refund: true, warehouse_id: sale.warehouse_id, cashier_id: input.cashier_id },
    ...{ token: by.username, terminal_id, method, total_cents, tenders },
  });
  tx.audit({
    action: "POS_REFUND",
    user: input.cashier_id,
    entity: "SO",
    entityId: memo.so_id,
    warehouseId: sale.warehouse_id,
    details: {
      ...{ idempotency_key, so_number: memo.so_number, original_so_number: sale.so_number },
      ...{ original_external_txn_ref, external_refund_ref, terminal_id, token: by.username },
      ...{ payment_method: method, total_cents, shipping_cents },
      partial: !fully_refunded,
      fully_refunded,
      lines: units.map((one) => ({ sku: skuOf(sold, one.item_id), ...one })),
    },
  });
}
