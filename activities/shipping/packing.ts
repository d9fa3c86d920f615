import { refuseSilentShortfall } from "../../src/picking/shortfall.js";
import type { Actor } from "../../src/platform/actor.js";
import { ofSalesOrder } from "../../src/platform/events/outbox.js";
import { NothingToShip } from "../../src/sales-orders/action-problems.js";
import type { PackedOrder, PackScan, VerifiedItem } from "../../src/shipping/packing/shapes.js";
import { NotAllVerified } from "../../src/shipping/problems.js";
import { command } from "../command.js";
import { lockOrder, lockWithContent, unitsPicked } from "./contents.js";
import { countUnverified, linesToPack, packUnits, readUnits, refuseUnlessPicked } from "./pack-units.js";
import { packagesOf } from "./packages.js";
import { refuseUnclosed } from "./parcels/unclosed.js";
import { voidEmpty } from "./parcels/write.js";

/** Counts scanned units as packed (docs/interface.md, Packing), in no parcel. */
export function verifyItem(input: PackScan, by: Actor): Promise<VerifiedItem> {
  return command("packing.verify", by, input, async (tx) => {
    const asked = readUnits({ ...input, intoParcel: false });
    const [order, lines] = await tx.inOrder([lockOrder(tx, input.so_id, by), linesToPack(tx, asked)]);
    return (await packUnits(tx, order, lines, asked, by)).answer;
  });
}

/** Marks an order whose lines are all verified as PACKED, with a PACK audit row and a `pack.confirmed` event. */
export function completePacking(input: { so_id: number }, by: Actor): Promise<PackedOrder> {
  return command("packing.complete", by, input, async (tx) => {
    const order = await lockWithContent(tx, input.so_id, by);
    refuseUnlessPicked(order);
    const { so_id, so_number, warehouse_id } = order;
    if (unitsPicked(order) === 0) throw NothingToShip({ so_number });
    const count = countUnverified(order.lines);
    if (count > 0) throw NotAllVerified({ count });
    refuseUnclosed(order);
    await refuseSilentShortfall(tx, order);
    voidEmpty(tx, order, by);
    tx.later.run(
      "update sales_orders set status = 'PACKED', packed_at = now(), updated_at = clock_timestamp() where so_id = $1",
      [so_id],
    );
    const total_items = unitsPicked(order);
    tx.audit({
      action: "PACK",
      entity: "SO",
      entityId: so_id,
      warehouseId: warehouse_id,
      details: {
        so_number,
        total_expected: total_items,
        total_packed: order.lines.reduce((sum, line) => sum + line.quantity_packed, 0),
        total_items,
      },
    });
    tx.emit({
      type: "pack.confirmed",
      ...ofSalesOrder(order),
      data: {
        sales_order_external_id: order.external_id,
        so_number,
        packages: packagesOf(order),
        completed_by_user_external_id: by.externalId,
        completed_at: tx.now,
      },
    });
    return {
      message: `${so_number} is packed`,
      so_number,
      status: "PACKED",
      total_items,
      calculated_weight_lbs: order.weight_lbs,
    };
  });
}
