import { useParams } from "react-router";
import type { Inspection } from "../../../../../client/src/index.js";
import { useRead } from "../../../../shared/api.js";
import { NOTHING, number, time } from "../../../../shared/format.js";
import { t } from "../../../../texts/lots.js";
import { Facts, Section } from "../../../components/facts.js";
import { MaybeLink } from "../../../components/maybe-link.js";
import { Page } from "../../../components/page.js";
import { person } from "../../../components/person.js";
import { Loaded } from "../../../components/states.js";
import { TableSection } from "../../../components/table.js";
import { warehouseColumn } from "../../../components/warehouse-field.js";
import { WorkflowLink } from "../../../components/workflow-link.js";
import { Decide, decisions } from "./decide.js";
import { InspectionStatus } from "./inspections.js";

/** An inspection with its units and what was decided about them. */
export default function InspectionPage() {
  const inspection_id = Number(useParams().inspection_id);
  return (
    <Loaded of={useRead("/api/admin/inspections/{inspection_id}", { path: { inspection_id } })}>
      {({ holds, decisions: decided, ...inspection }) => (
        <Page
          title={t("inspection", { number: inspection_id })}
          warehouse_id={inspection.warehouse_id ?? undefined}
          mark={<InspectionStatus of={inspection} />}
          actions={
            <>
              <WorkflowLink id={`inspection-${inspection_id}`} />
              <Decide inspection={inspection} />
            </>
          }
        >
          <Section title={t("units")}>
            <Facts
              of={[
                [
                  t("item"),
                  <MaybeLink to={`/items/${inspection.item_id}`} key="item">
                    {inspection.sku}
                  </MaybeLink>,
                ],
                [t("name"), inspection.item_name],
                [t("lot"), <ItsLot key="lot" of={inspection} />],
                [t("warehouse"), inspection.warehouse_code ?? t("allWarehouses")],
                [t("reason"), inspection.reason],
                [t("units"), number(inspection.quantity)],
                [t("toDecide"), number(inspection.quantity_open)],
                [t("by"), person(inspection.opened_by)],
                [t("since"), time(inspection.opened_at)],
                [t("due"), time(inspection.due_at)],
                [t("reminded"), time(inspection.reminded_at)],
                [t("ended"), time(inspection.closed_at)],
              ]}
            />
          </Section>
          {inspection.lot_id === null && inspection.status === "OPEN" && (
            <TableSection
              title={t("whereItLies")}
              empty={t("liesNowhere")}
              rows={holds.filter(({ quantity_held }) => quantity_held > 0)}
              to={({ bin_id }) => `/bins/${bin_id}`}
              columns={[
                { field: "bin_code", title: t("bin") },
                warehouseColumn(),
                { field: "condition", title: t("condition"), as: "status" },
                { field: "quantity_held", title: t("held"), as: "number" },
              ]}
            />
          )}
          <TableSection
            title={t("decided")}
            empty={t("nothingDecided")}
            rows={decided}
            columns={[
              { field: "decision", title: t("decision"), show: ({ decision }) => decisions()[decision] },
              { field: "quantity", title: t("units"), as: "number" },
              { field: "reason", title: t("reason") },
              { field: "decided_by", title: t("by"), as: "person" },
              { field: "decided_at", title: t("when"), as: "time" },
            ]}
          />
        </Page>
      )}
    </Loaded>
  );
}

/** The lot, with a link where it is inspected as a whole. */
const ItsLot = ({ of: { lot_id, lot_number } }: { of: Inspection }) =>
  lot_id ? <MaybeLink to={`/lots/${lot_id}`}>{lot_number}</MaybeLink> : (lot_number ?? NOTHING);
