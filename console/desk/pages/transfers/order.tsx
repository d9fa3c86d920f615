import { useParams } from "react-router";
import { useRead } from "../../../shared/api.js";
import { time } from "../../../shared/format.js";
import { t } from "../../../texts/transfers.js";
import { Facts, Section } from "../../components/facts.js";
import { Page } from "../../components/page.js";
import { Loaded } from "../../components/states.js";
import { Status } from "../../components/status.js";
import { WorkflowLink } from "../../components/workflow-link.js";
import { Approvals } from "./approvals.js";
import { OrderActions } from "./order-actions.js";
import { OrderLines } from "./order-lines.js";
import { Walks } from "./walks.js";

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
            back="/transfer-orders"
            mark={<Status of={order.status} />}
            actions={<OrderActions transfer={transfer} />}
          >
            <Section title={t("order")} actions={<WorkflowLink id={`transfer-order-${to_id}`} />}>
              <Facts
                of={[
                  [t("from"), order.source_warehouse_code],
                  [t("to"), order.destination_warehouse_code],
                  [t("createdBy"), order.created_by],
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
