import type { RecallDetail, RecallOrder } from "../../../../../client/src/index.js";
import { t } from "../../../../texts/lots.js";
import { DataList } from "../../../components/data-list.js";
import { Section } from "../../../components/facts.js";
import { MaybeLink } from "../../../components/maybe-link.js";
import { warehouseColumn } from "../../../components/warehouse-field.js";
import { Tell } from "./recall-actions.js";
import { whatOf } from "./units.js";

/** The orders that had units of a recall, and whose customers are to be told. */
export function RecallOrders({ recall: { recall_id, status } }: { recall: RecallDetail }) {
  return (
    <Section
      title={t("orders")}
      actions={status === "OPEN" && <MaybeLink to={`/recalls/${recall_id}/calls`}>{t("calls")}</MaybeLink>}
    >
      <DataList
        title={t("orders")}
        none="recallOrders"
        path="/api/admin/recalls/{recall_id}/orders"
        of={{ recall_id }}
        rows="orders"
        totals={{
          ...{ picked: t("notShipped"), to_tell: t("toTellShort"), told: t("toldShort") },
          returned: t("returned"),
        }}
        to={({ so_id }) => `/orders/${so_id}`}
        filters={[
          {
            name: "state",
            label: t("status"),
            choices: {
              open: t("openUnits"),
              picked: t("pickedUnits"),
              to_tell: t("toTell"),
              told: t("told"),
              returned: t("returned"),
            },
          },
        ]}
        columns={[
          { field: "so_number", title: t("order"), sorts: true },
          { field: "customer_name", title: t("customer"), sorts: true },
          { field: "contact", title: t("contact"), show: contactOf },
          warehouseColumn(),
          { field: "status", title: t("status"), as: "status" },
          { field: "lot_numbers", title: t("lotsOrSerials"), show: whatOf },
          { field: "picked", title: t("notShipped"), as: "number" },
          { field: "to_tell", title: t("toTellShort"), as: "number" },
          { field: "told", title: t("toldShort"), as: "number" },
          { field: "returned", title: t("returned"), as: "number" },
          { field: "told_at", title: t("toldWhen"), sorts: true, as: "time" },
          { field: "note", title: t("how") },
          {
            field: "actions",
            title: t("actions"),
            right: true,
            show: ({ so_id, so_number, to_tell }) =>
              status === "OPEN" &&
              to_tell > 0 && (
                <Tell
                  isSmall
                  {...{ recall_id, so_ids: [so_id] }}
                  label={t("tell")}
                  title={t("tellTitle", { number: so_number })}
                />
              ),
          },
        ]}
      />
    </Section>
  );
}

const contactOf = ({ customer_phone, customer_email }: RecallOrder) =>
  [customer_phone, customer_email].filter(Boolean).join(" · ") || null;
