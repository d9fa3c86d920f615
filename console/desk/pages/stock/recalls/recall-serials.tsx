import { NativeSelect } from "@mantine/core";
import type { RecallDetail, RecalledSerial } from "../../../../../client/src/index.js";
import type { Api } from "../../../../shared/api.js";
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

/** Takes one unit off the books, out of the bin in which it was found. */
function DestroyUnit({ recall_id, unit }: { recall_id: number; unit: RecalledSerial }) {
  const { item_id, serial_number, lot_number, bins } = unit;
  const destroy = async ({ bin_id, reason = "" }: Record<string, string>, api: Api) => {
    const query = { item_id, bin_id: Number(bin_id) };
    const { inventory } = await api.get("/api/admin/inventory", { query });
    const there = inventory.filter(({ quantity_on_hand }) => quantity_on_hand > 0);
    const row = there.find((one) => one.lot_number === lot_number) ?? there[0];
    if (!row) throw new Error(t("liesNowhere"));
    const body = { inventory_id: row.inventory_id, quantity: 1, reason, serial_numbers: [serial_number] };
    await api.post("/api/admin/recalls/{recall_id}/destroy", { path: { recall_id }, body });
  };
  return (
    <Decision
      isSmall
      isDangerous
      label={t("destroy")}
      title={t("destroyUnit", { serial: serial_number })}
      act={destroy}
    >
      <NativeSelect
        name="bin_id"
        label={t("bin")}
        data={bins.map(({ bin_id, bin_code }) => ({ value: String(bin_id), label: bin_code }))}
      />
      <ReasonField isFirst />
    </Decision>
  );
}
