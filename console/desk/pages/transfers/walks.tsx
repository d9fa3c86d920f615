import type { TransferWalk } from "../../../../client/src/index.js";
import { t } from "../../../texts/transfers.js";
import { TableSection } from "../../components/table.js";
import { WorkflowLink } from "../../components/workflow-link.js";

/** The walks on which a transfer order was picked. */
export const Walks = ({ walks }: { walks: TransferWalk[] }) => (
  <TableSection
    title={t("walks")}
    empty={t("noWalks")}
    rows={walks}
    columns={[
      { field: "batch_number", title: t("number") },
      { field: "status", title: t("status"), as: "status" },
      { field: "assigned_to", title: t("picker") },
      { field: "total_items", title: t("units"), as: "number" },
      { field: "started_at", title: t("started"), as: "time" },
      { field: "completed_at", title: t("ended"), as: "time" },
      {
        field: "workflow",
        title: t("workflow"),
        show: ({ batch_id }) => <WorkflowLink id={`pick-wave-${batch_id}`} />,
      },
    ]}
  />
);
