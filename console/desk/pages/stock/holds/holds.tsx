import type { StockHold } from "../../../../../client/src/index.js";
import { t } from "../../../../texts/lots.js";
import { choicesOf } from "../../../../texts/statuses.js";
import { ListPage } from "../../../components/data-list.js";
import { Decision } from "../../../components/decision.js";
import { MaybeLink } from "../../../components/maybe-link.js";
import { warehouseColumn } from "../../../components/warehouse-field.js";
import { heldConditions } from "../conditions.js";
import { unitsOf } from "../units-of.js";
import { ReasonField, UnitsField } from "./hold-fields.js";

/** Units in bins that are sold to nobody, with why, and their release. */
export default function Holds() {
  return (
    <ListPage
      title={t("holds")}
      none="holds"
      path="/api/admin/holds"
      rows="holds"
      totals={{ quantity_held: t("held") }}
      ofWarehouse
      filters={[
        { name: "q", label: t("searchStock") },
        { name: "condition", label: t("condition"), choices: choicesOf([...heldConditions]) },
        { name: "open", label: t("status"), choices: { false: t("endedToo") }, unset: t("onlyOpen") },
      ]}
      columns={[
        { field: "sku", title: t("sku"), sorts: true, show: toItem },
        { field: "bin_code", title: t("bin"), sorts: true, show: toBin },
        warehouseColumn(),
        { field: "lot_number", title: t("lot") },
        { field: "condition", title: t("condition"), as: "status" },
        { field: "quantity_held", title: t("held"), sorts: true, as: "number" },
        { field: "reason", title: t("reason") },
        { field: "held_by", title: t("by"), as: "person" },
        { field: "held_at", title: t("since"), sorts: true, as: "time" },
        { field: "ended_at", title: t("ended"), sorts: true, as: "time" },
        { field: "actions", title: t("actions"), right: true, show: (hold) => <Release hold={hold} /> },
      ]}
    />
  );
}

const toItem = ({ item_id, sku }: StockHold) => <MaybeLink to={`/items/${item_id}`}>{sku}</MaybeLink>;
const toBin = ({ bin_id, bin_code }: StockHold) => <MaybeLink to={`/bins/${bin_id}`}>{bin_code}</MaybeLink>;

/** What is inspected is released there. */
function Release({ hold }: { hold: StockHold }) {
  const { hold_id, inspection_id, quantity_held, bin_code } = hold;
  if (quantity_held === 0) return null;
  if (inspection_id !== null) return <MaybeLink to={`/inspections/${inspection_id}`}>{t("toInspection")}</MaybeLink>;
  return (
    <Decision
      isSmall
      label={t("release")}
      title={t("releaseHold", { sku: unitsOf(hold), bin: bin_code })}
      act={({ quantity, reason = "" }, api) =>
        api.post("/api/admin/holds/{hold_id}/release", {
          ...{ path: { hold_id }, body: { quantity: Number(quantity), reason } },
        })
      }
    >
      <UnitsField most={quantity_held} />
      <ReasonField />
    </Decision>
  );
}
