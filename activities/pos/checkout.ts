import { randomUUID } from "node:crypto";
import type { Actor } from "../../src/platform/actor.js";
import type { OfWarehouse } from "../../src/platform/temporal/priorities.js";
import { checkTenders, decimalOfCents } from "../../src/pos/money.js";
import type { Sale, SaleLine, SaleRecorded } from "../../src/pos/shapes.js";
import type { AddressColumn } from "../../src/sales-orders/addresses.js";
import { command } from "../command.js";
import { childNumber } from "../sales-orders/child-number.js";
import { emitOpened } from "../sales-orders/open-backorder.js";
import { waitForSameKey } from "../same-key.js";
import { sellSerials } from "../serials/till.js";
import { reserveRows } from "../stock/reserve-rows.js";
import { changeCounters } from "../stock/stock.js";
import { backorderUnits } from "./backorder.js";
import { bookAtTill, keepUnits, limitWaits, type PosTimeouts } from "./book.js";
import { insertOrder, newIds, type PosOrder } from "./insert-order.js";
import { lockParent } from "./parent.js";
import { refusingSerials } from "./refusing-serials.js";
import { returnItems } from "./returned-items.js";
import { saleDetails } from "./sale-details.js";
import { stockUnits } from "./sale-units.js";

/**
 * Records a sale that was paid at a till (docs/interface.md, Tills). The units of a counter sale leave stock at once, a
 * phone order reserves its units, and a backorder waits for them; an exchange has a return too. The units must be free
 * in the bins that the lines name, otherwise nothing is recorded. Audit POS_CHECKOUT; `backorder.opened`.
 * @param onReturn Is called with the return of an exchange.
 */
export function checkout(
  sale: Sale,
  by: Actor,
  timeouts: PosTimeouts,
  onReturn: (rma: OfWarehouse) => void = () => {},
): Promise<SaleRecorded> {
  const cashier: Actor = { ...by, username: sale.cashier_id };
  return command("pos.checkout", cashier, sale, async (tx) => {
    const [, , parent, ids, source] = await tx.inOrder([
      limitWaits(tx, timeouts),
      waitForSameKey(tx, by),
      lockParent(tx, sale, by),
      newIds(tx, sale.lines.length),
      sale.backorder ? backorderUnits(tx, sale, by.warehouseIds) : stockUnits(tx, sale.lines, by.warehouseIds),
    ]);
    checkTenders(sale.payment_summary);
    const status = sale.backorder ? "WAITING_STOCK" : sale.is_phone_order ? "OPEN" : "SHIPPED";
    const { warehouse_id, item_ids, taken } = source;
    const so_number = parent ? await childNumber(tx, parent, sale.order_type.toUpperCase()) : `POS-${ids.so_id}`;
    const order: PosOrder = {
      ...{ so_id: ids.so_id, external_id: randomUUID(), so_number, status, warehouse_id },
      ...storedOf(sale),
      parent_so_id: parent?.so_id,
      shipped_at: status === "SHIPPED" ? sale.completed_at : undefined,
      backorder_opened_at: status === "WAITING_STOCK" ? tx.now : undefined,
    };
    const rma =
      parent && sale.returned_items?.length ? await returnItems(tx, parent, sale.returned_items, cashier) : undefined;
    if (parent && rma) onReturn({ id: rma.so_id, warehouse_id: parent.warehouse_id });
    const lines = ids.line_ids.map((so_line_id, i) => ({
      so_line_id,
      item_id: item_ids[i] as number,
      quantity: sale.lines[i]?.quantity as number,
    }));
    insertOrder(tx, order, lines);
    if (status === "SHIPPED") {
      const units = source.named.map(({ line, warehouse_id }) => {
        const { sku, serial_numbers } = sale.lines[line] as SaleLine;
        return { ...(lines[line] as (typeof lines)[number]), warehouse_id, sku, serial_numbers };
      });
      await refusingSerials(sellSerials(tx, units, order, cashier));
      changeCounters(
        tx.later,
        undefined,
        taken.map(({ row, units }) => ({ inventoryId: row.inventory_id, onHand: -units, allocated: 0 })),
      );
    } else
      reserveRows(
        tx,
        taken.map(({ line, row, units }) => ({ line: ids.line_ids[line] as number, row: row.inventory_id, units })),
      );
    if (source.backorder)
      emitOpened(
        tx,
        { ...order, customer_name: sale.customer_name ?? null },
        parent,
        source.backorder.items,
        source.backorder.opened_by,
      );
    const { method, total_cents, tenders } = sale.payment_summary;
    bookAtTill(tx, {
      ...{ so_id: ids.so_id, is_refund: false, warehouse_id, cashier_id: sale.cashier_id, token: by.username },
      ...{ terminal_id: sale.terminal_id, method, total_cents, tenders },
    });
    keepUnits(tx, ids.so_id, sale.lines, item_ids, taken);
    tx.audit({
      action: "POS_CHECKOUT",
      entity: "SO",
      entityId: ids.so_id,
      warehouseId: warehouse_id,
      details: saleDetails(sale, { ...source, token: by.username, so_number, rma_so_number: rma?.so_number }),
    });
    return { so_id: so_number, so_number, replayed: false };
  });
}

/** The fields of a sale that are stored on its order; only a phone order has a ship-to address. */
function storedOf(sale: Sale) {
  const { customer_name, customer_phone, customer_email, order_origin, external_txn_ref, order_type } = sale;
  const { total_cents, shipping_cents } = sale.payment_summary;
  const address = Object.fromEntries(
    Object.entries(sale.shipping_address ?? {}).map(([part, text]) => [`shipping_address_${part}`, text]),
  ) as Partial<Record<AddressColumn, string | null>>;
  return {
    ...{ customer_name, customer_phone, customer_email, order_origin, external_txn_ref, order_type },
    memo: sale.memo?.trim() ? sale.memo : null,
    order_source: "pos" as const,
    order_total: decimalOfCents(total_cents),
    customer_shipping_paid: decimalOfCents(shipping_cents),
    created_by: sale.cashier_id,
    ...(sale.is_phone_order && { ship_method: sale.ship_method, ship_address: sale.ship_address, ...address }),
  };
}
