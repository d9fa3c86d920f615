import { NativeSelect } from "@mantine/core";
import type { RecallDetail, RecalledSerial } from "../../../../../client/src/index.js";
import { useRead } from "../../../../shared/api.js";
import { t } from "../../../../texts/lots.js";
import { Decision } from "../../../components/decision.js";
import { MaybeLink } from "../../../components/maybe-link.js";
import { TableSection } from "../../../components/table.js";
import { warehouseColumn } from "../../../components/warehouse-field.js";
import { ReasonField } from "../holds/hold-fields.js";
import { states } from "./units.js";

/** The units that are called back one by one, with where each of them is. */
export function RecallSerials({ recall: { recall_id, status, serials } }: { recall: RecallDetail }) {
  if (serials.length === 0) return null;
  return (
    <TableSection
      title={t("serials")}
      rows={serials}
      to={({ serial_number }) => `/serials/${encodeURIComponent(serial_number)}`}
      columns={[
        { field: "serial_number", title: t("serial") },
        { field: "sku", title: t("sku") },
        { field: "unit_state", title: t("status"), show: ({ unit_state }) => states()[unit_state] },
        warehouseColumn(),
        { field: "bins", title: t("mayLieIn"), show: ({ bins }) => bins.map(({ bin_code }) => bin_code).join(", ") },
        { field: "so_number", title: t("order"), show: toOrder },
        { field: "customer_name", title: t("customer") },
        {
          field: "actions",
          title: t("actions"),
          right: true,
          show: (unit) =>
            status === "OPEN" && unit.bins.length > 0 && <DestroyUnit recall_id={recall_id} unit={unit} />,
        },
      ]}
    />
  );
}

const toOrder = ({ so_id, so_number }: RecalledSerial) =>
  so_number && <MaybeLink to={`/orders/${so_id}`}>{so_number}</MaybeLink>;

/** Takes one unit off the books, out of the stock row in which it was found. */
function DestroyUnit({ recall_id, unit }: { recall_id: number; unit: RecalledSerial }) {
  const { serial_number } = unit;
  return (
    <Decision
      isSmall
      isDangerous
      label={t("destroy")}
      verb={t("noteDestroyed")}
      title={t("destroyUnit", { serial: serial_number })}
      act={({ inventory_id, reason = "" }, api) => {
        const body = { inventory_id: Number(inventory_id), quantity: 1, reason, serial_numbers: [serial_number] };
        return api.post("/api/admin/recalls/{recall_id}/destroy", { path: { recall_id }, body });
      }}
    >
      <FoundIn unit={unit} />
      <ReasonField isFirst />
    </Decision>
  );
}

/** The stock row that a unit was of, chosen by a person if there are several; one of its lot where that is known. */
function FoundIn({ unit: { item_id, warehouse_id, lot_number } }: { unit: RecalledSerial }) {
  const { data } = useRead("/api/admin/inventory", { query: { item_id, warehouse_id, per_page: 1000 } });
  const there = (data?.inventory ?? []).filter(({ quantity_on_hand }) => quantity_on_hand > 0);
  const ofLot = there.filter((row) => row.lot_number === lot_number);
  const rows = (ofLot.length > 0 ? ofLot : there).map(({ inventory_id, bin_code, ...row }) => ({
    value: String(inventory_id),
    label: [bin_code, row.lot_number, t("unitsOf", { units: row.quantity_on_hand })].filter(Boolean).join(" · "),
  }));
  return (
    <NativeSelect
      name="inventory_id"
      label={t("bin")}
      data={rows.length === 1 ? rows : [{ value: "", label: data ? t("whereFound") : "" }, ...rows]}
      required
    />
  );
}
