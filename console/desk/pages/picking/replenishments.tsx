import { Text } from "@mantine/core";
import type { Replenishment } from "../../../../client/src/index.js";
import type { Api } from "../../../shared/api.js";
import { number } from "../../../shared/format.js";
import { t } from "../../../texts/replenishment.js";
import { choicesOf } from "../../../texts/statuses.js";
import { ListPage } from "../../components/data-list.js";
import { Decision } from "../../components/decision.js";
import { MaybeLink } from "../../components/maybe-link.js";
import { useRefresh } from "../../components/use-refresh.js";
import { warehouseColumn } from "../../components/warehouse-field.js";

const PATH = "/api/admin/replenishments";
const statuses = ["OPEN", "TAKEN", "DONE", "SHORT", "CANCELLED"];

/** What is to be carried from reserve bins to pick faces, and what was. */
export default function Replenishments() {
  useRefresh(PATH);
  return (
    <ListPage
      title={t("replenishment")}
      none="replenishments"
      path={PATH}
      rows="replenishments"
      ofWarehouse
      bulk={{
        ...{ id: "replenishment_id", name: "sku" },
        actions: [
          {
            label: t("cancelTask"),
            isDangerous: true,
            fields: <Text size="sm">{t("cancelHint")}</Text>,
            fits: isOpen,
            each: ({ replenishment_id }, _, api) => cancel(replenishment_id, api),
          },
        ],
      }}
      filters={[{ name: "status", label: t("status"), choices: choicesOf(statuses) }]}
      columns={[
        { field: "sku", title: t("sku"), sorts: true, show: ItemLink },
        warehouseColumn(),
        { field: "from_bin_code", title: t("fromReserve"), sorts: true },
        { field: "to_bin_code", title: t("toFace"), sorts: true },
        { field: "quantity_done", title: t("carried"), show: carried },
        { field: "status", title: t("status"), sorts: true, as: "status" },
        { field: "is_urgent", title: t("urgent"), sorts: true, show: ({ is_urgent }) => is_urgent && t("ordersWait") },
        { field: "assigned_to", title: t("carrier"), sorts: true, as: "person" },
        { field: "created_at", title: t("created"), sorts: true, as: "time" },
        { field: "actions", title: t("actions"), right: true, show: Cancel },
      ]}
    />
  );
}

const ItemLink = ({ item_id, sku }: Replenishment) => <MaybeLink to={`/items/${item_id}`}>{sku}</MaybeLink>;

const carried = ({ quantity, quantity_done }: Replenishment) =>
  t("carriedOf", { done: number(quantity_done), all: number(quantity) });

const isOpen = ({ status }: Replenishment) => status === "OPEN" || status === "TAKEN";
const cancel = (replenishment_id: number, api: Api) =>
  api.post("/api/admin/replenishments/{replenishment_id}/cancel", { path: { replenishment_id } });

const Cancel = (task: Replenishment) =>
  isOpen(task) && (
    <Decision
      isSmall
      isDangerous
      label={t("cancelTask")}
      title={t("cancelTitle", { sku: task.sku, bin: task.to_bin_code })}
      act={(_, api) => cancel(task.replenishment_id, api)}
    >
      <Text>{t("cancelHint")}</Text>
    </Decision>
  );
