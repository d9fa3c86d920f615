import type { StockLevel } from "../../../../client/src/index.js";
import { number } from "../../../shared/format.js";
import { mayOpen, useMe } from "../../../shared/session.js";
import { t } from "../../../texts/stock.js";
import { DataList } from "../../components/data-list.js";
import type { Filter } from "../../components/filters.js";
import { MaybeLink } from "../../components/maybe-link.js";
import { RowActions } from "../../components/row-actions.js";
import { Status } from "../../components/status.js";
import type { Column } from "../../components/table.js";
import { warehouseColumn } from "../../components/warehouse-field.js";
import { Adjust } from "./adjust.js";
import { HoldStock } from "./holds/hold-stock.js";

interface StockListProps {
  title?: string;
  /** Only what lies here, only of this item, or only what expires within so many days. */
  of?: { item_id?: number; bin_id?: number; expires_within?: number; sort?: string };
  filters?: Filter[];
}

/** Stock by item, bin and lot; what all rows have in common has no column. */
export function StockList({ title = t("byBin"), of = {}, filters = [] }: StockListProps) {
  const mayAdjust = mayOpen(useMe(), "adjustments");
  const item: Column<StockLevel>[] = [
    { field: "sku", title: t("sku"), sorts: true, show: toItem },
    { field: "item_name", title: t("name"), sorts: true },
  ];
  const where: Column<StockLevel>[] = [
    { field: "bin_code", title: t("bin"), sorts: true, show: toBin },
    { field: "zone_name", title: t("zone"), sorts: true, isExtra: true },
    warehouseColumn(),
  ];
  return (
    <DataList
      title={title}
      none={"expires_within" in of ? "expiring" : "stock"}
      path="/api/admin/inventory"
      isLong
      rows="inventory"
      totals={{
        quantity_on_hand: t("onHand"),
        quantity_allocated: t("allocated"),
        quantity_available: t("available"),
      }}
      query={{ ...of }}
      filters={filters}
      ofWarehouse={!("bin_id" in of)}
      columns={[
        ...("item_id" in of ? [] : item),
        ...("bin_id" in of ? [] : where),
        { field: "quantity_on_hand", title: t("onHand"), sorts: true, as: "number" },
        {
          field: "quantity_allocated",
          title: t("allocated"),
          sorts: true,
          as: "number",
          isExtra: "expires_within" in of,
        },
        { field: "quantity_available", title: t("available"), right: true, show: Free },
        { field: "lot_number", title: t("lot"), sorts: true, show: toLot },
        { field: "expiry_date", title: t("expiry"), sorts: true, as: "day" },
        { field: "effective_condition", title: t("condition"), show: Condition },
        { field: "last_counted_at", title: t("lastCounted"), sorts: true, as: "time", isExtra: true },
        {
          field: "actions",
          title: t("actions"),
          right: true,
          show: (row) => <Actions row={row} mayAdjust={mayAdjust} />,
        },
      ]}
    />
  );
}

const toItem = ({ item_id, sku }: StockLevel) => <MaybeLink to={`/items/${item_id}`}>{sku}</MaybeLink>;
const toBin = ({ bin_id, bin_code }: StockLevel) => <MaybeLink to={`/bins/${bin_id}`}>{bin_code}</MaybeLink>;
const toLot = ({ lot_id, lot_number }: StockLevel) =>
  lot_id ? <MaybeLink to={`/lots/${lot_id}`}>{lot_number}</MaybeLink> : lot_number;

/** How many may be promised: none of what is not sold. */
function Free({ effective_condition, quantity_available, quantity_doubted: doubted }: StockLevel) {
  const free = effective_condition === "AVAILABLE" ? quantity_available : 0;
  return doubted > 0 ? t("freeDoubted", { free: number(free), doubted: number(doubted) }) : number(free);
}

/** Why units are not sold: of all in the row, or how many of them. */
const Condition = ({ effective_condition, quantity_held, sku }: StockLevel) =>
  effective_condition === "AVAILABLE" && quantity_held > 0 ? (
    <MaybeLink to={`/holds?q=${encodeURIComponent(sku)}`}>{t("heldUnits", { units: number(quantity_held) })}</MaybeLink>
  ) : (
    <Status of={effective_condition} />
  );

const Actions = ({ row, mayAdjust }: { row: StockLevel; mayAdjust: boolean }) => (
  <RowActions>
    <HoldStock row={row} />
    {mayAdjust && <Adjust row={row} />}
  </RowActions>
);
