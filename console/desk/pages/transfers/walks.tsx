import type { TransferWalk } from "../../../../client/src/index.js";
import { number, time } from "../../../shared/format.js";
import { t } from "../../../texts/transfers.js";
import { Section } from "../../components/facts.js";
import { Empty } from "../../components/states.js";
import { Status } from "../../components/status.js";
import { DataTable } from "../../components/table.js";
import { WorkflowLink } from "../../components/workflow-link.js";

/** The walks on which a transfer order was picked. */
export const Walks = ({ walks }: { walks: TransferWalk[] }) => (
  <Section title={t("walks")}>
    {walks.length === 0 ? (
      <Empty title={t("noWalks")} />
    ) : (
      <DataTable
        title={t("walks")}
        rows={walks}
        columns={[
          { field: "batch_number", title: t("number") },
          { field: "status", title: t("status"), show: ({ status }) => <Status of={status} /> },
          { field: "assigned_to", title: t("picker") },
          { field: "total_items", title: t("units"), right: true, show: ({ total_items }) => number(total_items) },
          { field: "started_at", title: t("started"), show: ({ started_at }) => time(started_at) },
          { field: "completed_at", title: t("completed"), show: ({ completed_at }) => time(completed_at) },
          {
            field: "workflow",
            title: t("workflow"),
            show: ({ batch_id }) => <WorkflowLink id={`pick-wave-${batch_id}`} />,
          },
        ]}
      />
    )}
  </Section>
);
