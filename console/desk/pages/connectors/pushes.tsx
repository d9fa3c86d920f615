import { Anchor } from "@mantine/core";
import { Link } from "react-router";
import { useRead } from "../../../shared/api.js";
import { t } from "../../../texts/connectors.js";
import { faultText } from "../../../texts/faults.js";
import { choicesOf } from "../../../texts/statuses.js";
import { ListPage } from "../../components/data-list.js";
import { Decision } from "../../components/decision.js";
import { useWarehouse } from "../../components/warehouse.js";
import { warehouseColumn } from "../../components/warehouse-field.js";

/** What the shops of orders are told of shipments and voids. */
export default function Pushes() {
  const { data } = useRead("/api/admin/connectors");
  const { warehouseId } = useWarehouse();
  const names = (data?.connectors ?? []).map(({ name }) => [name, name]);
  return (
    <ListPage
      title={t("pushes")}
      none="pushes"
      actions={warehouseId && <RetryAll warehouse_id={warehouseId} />}
      path="/api/admin/connector-pushes"
      rows="pushes"
      ofWarehouse
      filters={[
        { name: "connector", label: t("connector"), choices: Object.fromEntries(names) },
        { name: "status", label: t("status"), choices: choicesOf(["pending", "pushed", "failed", "skipped"]) },
      ]}
      columns={[
        {
          ...{ field: "so_number", title: t("order"), sorts: true },
          show: ({ so_id, so_number }) => (
            <Anchor inherit component={Link} to={`/orders/${so_id}`} fw={600}>
              {so_number}
            </Anchor>
          ),
        },
        { field: "kind", title: t("kind"), sorts: true, show: ({ kind }) => t(kind === "ship" ? "ship" : "void") },
        { field: "connector_name", title: t("connector"), sorts: true },
        warehouseColumn(),
        { field: "status", title: t("status"), sorts: true, as: "status" },
        { field: "carrier", title: t("carrier") },
        { field: "tracking_numbers", title: t("tracking"), show: (row) => row.tracking_numbers.join(", ") },
        { field: "attempts", title: t("attempts"), right: true, sorts: true },
        { field: "last_error", title: t("error"), show: (row) => faultText(row.last_error) },
        { field: "updated_at", title: t("changed"), sorts: true, as: "time" },
        {
          ...{ field: "actions", title: t("actions"), right: true },
          show: ({ push_id, so_number, status }) => status === "failed" && <Retry {...{ push_id, so_number }} />,
        },
      ]}
    />
  );
}

const RetryAll = ({ warehouse_id }: { warehouse_id: number }) => (
  <Decision
    label={t("retryAll")}
    title={t("retryAllPushes")}
    act={(_, api) => api.post("/api/admin/connector-pushes/retry", { body: { warehouse_id } })}
  />
);

const Retry = ({ push_id, so_number }: { push_id: number; so_number: string }) => (
  <Decision
    label={t("tryAgain")}
    title={t("retryPush", { order: so_number })}
    act={(_, api) => api.post("/api/admin/connector-pushes/{push_id}/retry", { path: { push_id } })}
  />
);
