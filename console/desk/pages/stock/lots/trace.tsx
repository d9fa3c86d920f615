import { Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { TraceStep } from "../../../../../client/src/index.js";
import { useRead } from "../../../../shared/api.js";
import { t } from "../../../../texts/lots.js";
import { Section } from "../../../components/facts.js";
import { MaybeLink } from "../../../components/maybe-link.js";
import { Loaded } from "../../../components/states.js";
import { type Column, DataTable } from "../../../components/table.js";
import { warehouseColumn } from "../../../components/warehouse-field.js";

const AT_FIRST = 100;
const MOST = 1_000;

/** What moved units of a lot, and which orders and customers got them. */
export const LotTrace = ({ lot_id }: { lot_id: number }) => (
  <>
    <Section title={t("customers")}>
      <Steps lot_id={lot_id} kind="pick" />
    </Section>
    <Section title={t("sales")}>
      <Steps lot_id={lot_id} kind="sale" />
    </Section>
    <Section title={t("movements")}>
      <Steps lot_id={lot_id} kind="move" />
    </Section>
  </>
);

const titles = { pick: "customers", sale: "sales", move: "movements" } as const;

/** The steps of a kind, part by part: what a cursor leads to is as much as an answer may have. */
function Steps({ lot_id, kind }: { lot_id: number; kind: keyof typeof titles }) {
  const [cursors, setCursors] = useState<string[]>([]);
  const cursor = cursors.at(-1);
  const part = cursor ? { cursor, limit: MOST } : { limit: AT_FIRST };
  const found = useRead("/api/admin/lots/{lot_id}/trace", { path: { lot_id }, query: { kind, ...part } });
  return (
    <Loaded of={found}>
      {({ steps, next_cursor }) => (
        <Stack align="stretch">
          {steps.length === 0 ? (
            <Text c="dimmed">{t("noSteps")}</Text>
          ) : (
            <DataTable title={t(titles[kind])} rows={steps} columns={kind === "move" ? movedBy() : wentTo()} />
          )}
          <Group>
            {cursor && (
              <Button variant="default" onClick={() => setCursors(cursors.slice(0, -1))}>
                {t("stepsBefore")}
              </Button>
            )}
            {next_cursor && (
              <Button variant="default" onClick={() => setCursors([...cursors, next_cursor])}>
                {t("stepsAfter")}
              </Button>
            )}
          </Group>
        </Stack>
      )}
    </Loaded>
  );
}

const movedBy = (): Column<TraceStep>[] => [
  { field: "bin_code", title: t("from") },
  { field: "to_bin_code", title: t("into"), show: intoText },
  warehouseColumn(),
  { field: "quantity", title: t("units"), as: "number" },
  { field: "username", title: t("by"), as: "person" },
  { field: "at", title: t("when"), as: "time" },
];

/** The bin that units went to, and its warehouse where that is another one. */
const intoText = ({ to_bin_code, to_warehouse_code, warehouse_code }: TraceStep) =>
  [to_bin_code, ...(to_warehouse_code === warehouse_code ? [] : [to_warehouse_code])].filter(Boolean).join(", ");

const wentTo = (): Column<TraceStep>[] => [
  { field: "so_number", title: t("order"), show: toOrder },
  { field: "customer_name", title: t("customer") },
  warehouseColumn(),
  { field: "bin_code", title: t("bin") },
  { field: "quantity", title: t("units"), as: "number" },
  { field: "at", title: t("when"), as: "time" },
  { field: "shipped_at", title: t("shipped"), as: "time" },
  { field: "carrier", title: t("carrier") },
  { field: "tracking_number", title: t("tracking") },
];

const toOrder = ({ so_id, so_number }: TraceStep) =>
  so_number && <MaybeLink to={`/orders/${so_id}`}>{so_number}</MaybeLink>;
