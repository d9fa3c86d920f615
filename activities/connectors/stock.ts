import { randomUUID } from "node:crypto";
import type { Connector, SourceStock } from "../../src/connectors/connector.js";
import { int } from "../../src/platform/db/columns.js";
import { command } from "../command.js";
import { setInventory } from "../inbound/inventory-update.js";
import { refusalOf } from "../inbound/refusals.js";
import { connectorActor, connectorSender, type Done } from "./records.js";

/**
 * Sets the stock of a bin to what a source reports. Of a source without versions each report is used once: the same
 * report again may be older than what was shipped since.
 */
export async function writeSourceStock(
  connector: Connector,
  warehouse_id: number,
  record: SourceStock,
): Promise<Extract<Done, "written" | "known">> {
  const { item, sku, bin_code, quantity, byContent = false } = record;
  const by = connectorActor(connector, warehouse_id, randomUUID());
  const target = {
    item_external_id: item,
    sku,
    bin_code,
    warehouse_id,
    target_quantity: quantity,
    reason_code: "SYNC",
  };
  const place = { connector: connector.name, warehouse_id, item, bin_code };
  try {
    return await command("connectors.stock", by, target, async (tx) => {
      const said = await tx.row(
        { quantity: int },
        `select quantity from connector_stock
         where connector_name = :connector and warehouse_id = :warehouse_id and item = :item and bin_code = :bin_code`,
        place,
      );
      if (byContent && said?.quantity === quantity) return "known";
      const { noop } = await setInventory(tx, target, connectorSender(connector, warehouse_id), by);
      if (byContent)
        tx.later.run(
          `insert into connector_stock (connector_name, warehouse_id, item, bin_code, quantity)
           values (:connector, :warehouse_id, :item, :bin_code, :quantity)
           on conflict (connector_name, warehouse_id, item, bin_code) do update set quantity = excluded.quantity`,
          { ...place, quantity },
        );
      return noop ? "known" : "written";
    });
  } catch (error) {
    throw refusalOf(error);
  }
}
