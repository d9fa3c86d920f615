import { Text } from "@mantine/core";
import { useParams } from "react-router";
import { useRead } from "../../../shared/api.js";
import { time } from "../../../shared/format.js";
import { mayOpen, useMe } from "../../../shared/session.js";
import { t } from "../../../texts/counting.js";
import { Facts, Section } from "../../components/facts.js";
import { MaybeLink } from "../../components/maybe-link.js";
import { Page } from "../../components/page.js";
import { person } from "../../components/person.js";
import { Signed } from "../../components/signed.js";
import { Empty, Loaded } from "../../components/states.js";
import { Status } from "../../components/status.js";
import { TableSection } from "../../components/table.js";
import { useWarehouseCode } from "../../components/warehouse-field.js";
import { WorkflowLink } from "../../components/workflow-link.js";
import { AdjustmentTable } from "./adjustment-table.js";
import { DecideAll } from "./decide.js";

export default function Count() {
  const count_id = Number(useParams().count_id);
  const mayDecide = mayOpen(useMe(), "count-approvals");
  const codeOf = useWarehouseCode();
  return (
    <Loaded of={useRead("/api/admin/cycle-counts/{count_id}", { path: { count_id } })}>
      {({ lines, adjustments, ...count }) => (
        <Page
          title={t("count", { number: count_id })}
          warehouse_id={count.warehouse_id}
          mark={<Status of={count.status} />}
          actions={<WorkflowLink id={`cycle-count-${count_id}`} />}
        >
          <Section title={t("count", { number: count_id })}>
            <Facts
              of={[
                [
                  t("bin"),
                  <MaybeLink to={`/bins/${count.bin_id}`} key="bin">
                    {count.bin_code}
                  </MaybeLink>,
                ],
                [t("warehouse"), codeOf(count.warehouse_id)],
                [t("counter"), person(count.assigned_to)],
                [t("created"), time(count.created_at)],
                [t("completed"), time(count.completed_at)],
              ]}
            />
          </Section>
          <TableSection
            title={t("lines")}
            empty={t("noLines")}
            rows={lines}
            columns={[
              { field: "sku", title: t("sku") },
              {
                field: "item_name",
                title: t("name"),
                show: ({ item_name, unexpected }) => (
                  <>
                    {item_name}
                    {unexpected && <Text span c="dimmed">{` · ${t("unexpected")}`}</Text>}
                  </>
                ),
              },
              { field: "expected_quantity", title: t("expected"), as: "number" },
              { field: "counted_quantity", title: t("counted"), as: "number" },
              {
                field: "variance",
                title: t("variance"),
                right: true,
                show: ({ variance }) => (variance === null ? null : <Signed of={variance} />),
              },
            ]}
          />
          {count.status === "PENDING" && <Text>{t("countedAtScanner")}</Text>}
          {count.completed_at && (
            <Section title={t("adjustments")} actions={mayDecide && <DecideAll adjustments={adjustments} />}>
              {adjustments.length === 0 ? (
                <Empty title={t("noAdjustments")} />
              ) : (
                <AdjustmentTable title={t("adjustments")} adjustments={adjustments} isOfCount />
              )}
            </Section>
          )}
        </Page>
      )}
    </Loaded>
  );
}
