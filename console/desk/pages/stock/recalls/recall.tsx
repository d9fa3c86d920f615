import { Progress, Text } from "@mantine/core";
import { useParams } from "react-router";
import type { RecallDetail } from "../../../../../client/src/index.js";
import { useRead } from "../../../../shared/api.js";
import { number, time } from "../../../../shared/format.js";
import { t } from "../../../../texts/lots.js";
import { Facts, Section } from "../../../components/facts.js";
import { MaybeLink } from "../../../components/maybe-link.js";
import { Page } from "../../../components/page.js";
import { person } from "../../../components/person.js";
import { Loaded } from "../../../components/states.js";
import { Status } from "../../../components/status.js";
import { TableSection } from "../../../components/table.js";
import { warehouseColumn } from "../../../components/warehouse-field.js";
import { WorkflowLink } from "../../../components/workflow-link.js";
import { Close, Destroy } from "./recall-actions.js";
import { RecallOrders } from "./recall-orders.js";
import { RecallSerials } from "./recall-serials.js";
import { states } from "./units.js";

/** A recall: how far its units are accounted for, where they lie, and who got them. */
export default function Recall() {
  const recall_id = Number(useParams().recall_id);
  return (
    <Loaded of={useRead("/api/admin/recalls/{recall_id}", { path: { recall_id } })}>
      {(recall) => (
        <Page
          title={t("recallOf", { number: recall_id })}
          mark={<Status of={recall.status} />}
          actions={
            <>
              <WorkflowLink id={`recall-${recall_id}`} />
              <Close recall={recall} />
            </>
          }
        >
          <Section title={t("progress")}>
            <Accounted of={recall} />
            <Facts
              of={[
                [t("reason"), recall.reason],
                [t("by"), person(recall.opened_by)],
                [t("since"), time(recall.opened_at)],
                ...(recall.closed_at
                  ? [
                      [t("ended"), time(recall.closed_at)] as [string, string],
                      [t("endReason"), recall.close_reason] as [string, string | null],
                    ]
                  : []),
                [t("known"), number(recall.units.known)],
                ...Object.entries(states()).map(([state, label]): [string, string] => [
                  label,
                  number(recall.units[state as keyof typeof recall.units]),
                ]),
              ]}
            />
          </Section>
          {recall.lots.length > 0 && <Lots of={recall.lots} />}
          <RecallSerials recall={recall} />
          <Places recall={recall} />
          <RecallOrders recall={recall} />
        </Page>
      )}
    </Loaded>
  );
}

/** How many units are accounted for. */
function Accounted({ of: { units, units_open } }: { of: RecallDetail }) {
  const done = Math.max(0, units.known - units_open);
  const text = t("accounted", { done: number(done), of: number(units.known) });
  return (
    <>
      <Text>{text}</Text>
      <Progress value={units.known > 0 ? (100 * done) / units.known : 100} aria-label={t("progress")} mb="md" />
    </>
  );
}

const Lots = ({ of }: { of: RecallDetail["lots"] }) => (
  <TableSection
    title={t("lots")}
    rows={of}
    to={({ lot_id }) => `/lots/${lot_id}`}
    columns={[
      { field: "lot_number", title: t("lot") },
      { field: "sku", title: t("sku") },
      { field: "item_name", title: t("name") },
      { field: "condition", title: t("condition"), as: "status" },
      { field: "known", title: t("known"), right: true, show: ({ units }) => number(units.known) },
      {
        field: "open",
        title: t("openUnits"),
        right: true,
        show: ({ units: { to_count, picked, to_tell } }) => number(to_count + picked + to_tell),
      },
    ]}
  />
);

type Place = RecallDetail["places"][number];

function Places({ recall: { recall_id, status, places } }: { recall: RecallDetail }) {
  return (
    <TableSection
      title={t("whereItLies")}
      empty={t("liesNowhere")}
      rows={places}
      to={({ bin_id }) => `/bins/${bin_id}`}
      columns={[
        { field: "bin_code", title: t("bin") },
        warehouseColumn(),
        { field: "sku", title: t("sku") },
        { field: "lot_number", title: t("lot") },
        { field: "quantity_on_hand", title: t("onHand"), as: "number" },
        { field: "to_count", title: t("toCount"), as: "number" },
        { field: "found", title: t("foundUnits"), as: "number" },
        { field: "returned", title: t("returned"), as: "number" },
        { field: "count_id", title: t("count"), show: toCount },
        ...(status === "OPEN"
          ? [
              {
                field: "actions",
                title: t("actions"),
                right: true,
                show: (place: Place) => <Destroy recall_id={recall_id} place={place} />,
              },
            ]
          : []),
      ]}
    />
  );
}

const toCount = ({ count_id }: Place) =>
  count_id && <MaybeLink to={`/counts/${count_id}`}>{t("countOf", { number: count_id })}</MaybeLink>;
