import { useParams } from "react-router";
import type { TransferWalk } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { time } from "../../../shared/format.js";
import { t } from "../../../texts/transfers.js";
import { Facts, Section } from "../../components/facts.js";
import { Page } from "../../components/page.js";
import { person } from "../../components/person.js";
import { Loaded } from "../../components/states.js";
import { Status } from "../../components/status.js";
import { TableSection } from "../../components/table.js";
import { WorkflowLink } from "../../components/workflow-link.js";
import { Approvals } from "./approvals.js";
import { OrderActions } from "./order-actions.js";
import { OrderLines } from "./order-lines.js";

export default function TransferOrder() {
  const to_id = Number(useParams().to_id);
  return (
    <Loaded of={useRead("/api/admin/transfer-orders/{to_id}", { path: { to_id } })}>
      {(transfer) => {
        const { transfer_order: order, lines, approvals, walks } = transfer;
        return (
          <Page
            title={order.to_number}
            warehouse_id={order.source_warehouse_id}
            mark={<Status of={order.status} />}
            actions={<OrderActions transfer={transfer} />}
          >
            <Section title={t("order")} actions={<WorkflowLink id={`transfer-order-${to_id}`} />}>
              <Facts
                of={[
                  [t("from"), order.source_warehouse_code],
                  [t("to"), order.destination_warehouse_code],
                  [t("createdBy"), person(order.created_by)],
                  [t("created"), time(order.created_at)],
                  [t("changed"), time(order.updated_at)],
                  [t("notes"), order.notes],
                ]}
              />
            </Section>
            <OrderLines order={order} lines={lines} />
            <Approvals to_id={to_id} approvals={approvals} />
            <Walks walks={walks} />
          </Page>
        );
      }}
    </Loaded>
  );
}

/** The walks on which a transfer order was picked. */
const Walks = ({ walks }: { walks: TransferWalk[] }) => (
  <TableSection
    title={t("walks")}
    empty={t("noWalks")}
    rows={walks}
    columns={[
      { field: "batch_number", title: t("number") },
      { field: "status", title: t("status"), as: "status" },
      { field: "assigned_to", title: t("picker"), as: "person" },
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
