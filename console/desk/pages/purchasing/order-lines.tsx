import { Group, TextInput } from "@mantine/core";
import type { PurchaseOrder, PurchaseOrderLine } from "../../../../client/src/index.js";
import type { Api } from "../../../shared/api.js";
import { money, number } from "../../../shared/format.js";
import { useMe } from "../../../shared/session.js";
import { t } from "../../../texts/purchasing.js";
import { Decision } from "../../components/decision.js";
import { ItemField } from "../../components/search-fields.js";
import { Mark } from "../../components/status.js";
import { TableSection } from "../../components/table.js";
import { typed } from "../../values.js";
import { isLocked } from "./order-actions.js";

const QuantityField = ({ value, least = 1 }: { value?: number; least?: number }) => (
  <TextInput
    name="quantity"
    label={t("quantity")}
    type="number"
    min={least}
    defaultValue={value}
    required
    data-autofocus={value !== undefined || undefined}
  />
);

export function OrderLines({ order, lines }: { order: PurchaseOrder; lines: PurchaseOrderLine[] }) {
  const { po_id } = order;
  const { company_currency } = useMe();
  const mayChange = !isLocked(order);
  const add = ({ item_id, quantity, unit_cost }: Record<string, string>, api: Api) =>
    api.post("/api/admin/purchase-orders/{po_id}/lines", {
      path: { po_id },
      body: { item_id: Number(item_id), quantity_ordered: Number(quantity), unit_cost: typed(unit_cost) },
    });
  const toActions = (line: PurchaseOrderLine) => <LineActions po_id={po_id} line={line} />;
  return (
    <TableSection
      title={t("lines")}
      actions={
        mayChange && (
          <Decision label={t("addLine")} title={t("addLine")} act={add}>
            <ItemField name="item_id" label={t("item")} isFirst />
            <QuantityField />
            <TextInput name="unit_cost" label={t("unitCost")} inputMode="decimal" />
          </Decision>
        )
      }
      rows={lines}
      to={({ item_id }) => `/items/${item_id}`}
      columns={[
        { field: "sku", title: t("sku") },
        { field: "item_name", title: t("name") },
        { field: "status", title: t("status"), as: "status" },
        { field: "quantity_ordered", title: t("ordered"), as: "number" },
        { field: "quantity_received", title: t("received"), as: "number" },
        { field: "open", title: t("open"), right: true, show: openOf },
        {
          field: "unit_cost",
          title: t("unitCost"),
          right: true,
          show: ({ unit_cost }) => money(unit_cost?.toString(), company_currency),
        },
        ...(mayChange ? [{ field: "actions", title: t("actions"), right: true, show: toActions }] : []),
      ]}
    />
  );
}

/** What is still to come, or that more came than was ordered. */
function openOf({ quantity_ordered, quantity_received }: PurchaseOrderLine) {
  const open = quantity_ordered - quantity_received;
  return open < 0 ? <Mark color="red" text={t("tooMany", { units: number(-open) })} /> : number(open);
}

function LineActions({ po_id, line }: { po_id: number; line: PurchaseOrderLine }) {
  const { po_line_id, sku, quantity_ordered, quantity_received } = line;
  const path = { po_id, po_line_id };
  return (
    <Group gap="xs" justify="end" wrap="nowrap">
      <Decision
        label={t("edit")}
        verb={t("save")}
        title={t("changeLine", { sku })}
        act={({ quantity }, api) =>
          api.patch("/api/admin/purchase-orders/{po_id}/lines/{po_line_id}", {
            ...{ path, body: { quantity_ordered: Number(quantity) } },
          })
        }
        isSmall
      >
        <QuantityField value={quantity_ordered} least={Math.max(1, quantity_received)} />
      </Decision>
      {quantity_received === 0 && (
        <Decision
          label={t("remove")}
          title={t("removeLine", { sku })}
          act={(_, api) => api.delete("/api/admin/purchase-orders/{po_id}/lines/{po_line_id}", { path })}
          isDangerous
          isSmall
        />
      )}
    </Group>
  );
}
