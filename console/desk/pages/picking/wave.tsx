import type { ReactNode } from "react";
import { useParams } from "react-router";
import type { PickBatch, PickTask } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { NOTHING, number, time, wishes } from "../../../shared/format.js";
import { mayOpen, useMe } from "../../../shared/session.js";
import { t as board } from "../../../texts/board.js";
import { t } from "../../../texts/picking.js";
import { t as planning } from "../../../texts/waves.js";
import { Decision } from "../../components/decision.js";
import { Facts, Section } from "../../components/facts.js";
import { Page } from "../../components/page.js";
import { person } from "../../components/person.js";
import { Printout } from "../../components/printout.js";
import { Loaded } from "../../components/states.js";
import { Status } from "../../components/status.js";
import { TableSection } from "../../components/table.js";
import { useRefresh } from "../../components/use-refresh.js";
import { WorkflowLink } from "../../components/workflow-link.js";
import { age } from "./age.js";
import { Assign, HandOver, mayHandOver } from "./assign.js";
import { TaskProgress } from "./progress.js";

const PATH = "/api/picking/batch/{batch_id}";

/** A wave: who picks it, for which orders, and every task on its way. */
export default function Wave() {
  const me = useMe();
  const batch_id = Number(useParams().batch_id);
  const found = useRead(PATH, { path: { batch_id } });
  useRefresh(PATH);
  const maySeeWaves = mayOpen(me, "picking-batches");
  const maySeeOrders = mayOpen(me, "sales-orders");
  return (
    <Loaded of={found}>
      {(batch) => (
        <Page
          title={batch.batch_number}
          warehouse_id={batch.warehouse_id}
          {...(maySeeWaves && { back: "/waves" })}
          mark={<Status of={batch.status} />}
          actions={<WaveActions batch={batch} mayCancel={maySeeWaves} />}
        >
          <Section title={t("wave")}>
            <Facts
              of={[
                [t("picker"), person(batch.assigned_to) ?? t("waitsForPicker")],
                [t("progress"), <TaskProgress key="progress" {...progressOf(batch)} />],
                [t("created"), time(batch.created_at)],
                ...sinceOf(batch),
                ...deviceOf(batch),
                [t("units"), number(batch.total_items)],
                ...(batch.walk ? [[t("walk"), t("walkOf", metresOf(batch.walk))] as [string, string]] : []),
                ...(batch.to_number ? [[t("transfer"), batch.to_number] as [string, string]] : []),
                // One that waits has none until somebody takes it.
                ...(batch.assigned_to || !isActive(batch)
                  ? [[t("workflow"), <Workflow key="workflow" {...batch} />] as [string, ReactNode]]
                  : []),
              ]}
            />
          </Section>
          {batch.orders.length > 0 && (
            <TableSection
              title={t("orders")}
              rows={batch.orders}
              {...(maySeeOrders && { to: ({ so_id }: PickBatch["orders"][number]) => `/orders/${so_id}` })}
              columns={[
                { field: "so_number", title: t("order") },
                { field: "tote_number", title: t("tote") },
              ]}
            />
          )}
          <TableSection
            title={t("tasks")}
            rows={batch.tasks}
            columns={[
              { field: "pick_sequence", title: t("place"), right: true },
              { field: "bin_code", title: t("bin") },
              { field: "sku", title: t("sku") },
              { field: "item_name", title: t("name") },
              { field: "quantity_to_pick", title: t("toPick"), right: true },
              ...lotsOf(batch),
              ...wishesOf(batch),
              { field: "tote_number", title: t("tote") },
              { field: "so_number", title: t("order"), show: ({ so_number, to_number }) => so_number ?? to_number },
              { field: "status", title: t("status"), as: "status" },
            ]}
          />
        </Page>
      )}
    </Loaded>
  );
}

/** Since when it is picked, or when it ended. */
function sinceOf(batch: PickBatch): [string, string][] {
  if (!isActive(batch)) return [[t("ended"), time(batch.completed_at)]];
  return batch.assigned_to && batch.started_at ? [[t("since"), age(batch.started_at)]] : [];
}

/** Which device goes on with it without the net, and until when. */
function deviceOf({ lease }: PickBatch): [string, string][] {
  if (!lease) return [];
  const { device, taken_at, heard_at, expires_at } = lease;
  return [
    [t("device"), t("deviceSince", { device, since: time(taken_at) })],
    [t("deviceHeard"), time(heard_at)],
    [t("deviceUntil"), time(expires_at)],
  ];
}

const metresOf = ({ metres, by_sequence_metres }: NonNullable<PickBatch["walk"]>) => ({
  metres: number(metres),
  sequence: number(by_sequence_metres),
});

/** Columns of the lots of tasks and of their last days, where they have any. */
const lotsOf = ({ tasks }: PickBatch) => [
  ...(tasks.some(({ lot_number }) => lot_number) ? [{ field: "lot_number" as const, title: t("lot") }] : []),
  ...(tasks.some(({ expiry_date }) => expiry_date)
    ? [{ field: "expiry_date" as const, title: t("expiry"), as: "day" as const }]
    : []),
];

/** A column of what customers want of the units of tasks, where they want something. */
const wishesOf = ({ tasks }: PickBatch) =>
  tasks.some((task) => wishesIn(task))
    ? [{ field: "line_properties", title: t("wishes"), show: (task: PickTask) => wishesIn(task) || NOTHING }]
    : [];

const wishesIn = ({ line_properties }: PickTask) =>
  line_properties
    .filter(({ properties }) => wishes(properties))
    .map(({ so_number, quantity, properties }) => t("wish", { number: so_number, quantity, wish: wishes(properties) }))
    .join("; ");

const isActive = ({ status }: PickBatch) => status === "OPEN" || status === "IN_PROGRESS";

const countOf = ({ tasks }: PickBatch, ...statuses: string[]) =>
  tasks.filter(({ status }) => statuses.includes(status)).length;
/** Whether somebody has it who has picked nothing yet. */
const isUnbegun = (batch: PickBatch) =>
  batch.kind === "SO" && Boolean(batch.assigned_to) && countOf(batch, "PICKED", "SHORT") === 0;
const progressOf = (batch: PickBatch) => ({
  done: countOf(batch, "PICKED", "SHORT"),
  of: countOf(batch, "PENDING", "PICKED", "SHORT"),
});

const Workflow = ({ workflow_id, workflows_url }: PickBatch) =>
  workflows_url ? <WorkflowLink id={workflow_id} /> : workflow_id;

/** A walk for a transfer order is ended at the transfer order. */
function WaveActions({ batch, mayCancel }: { batch: PickBatch; mayCancel: boolean }) {
  const mayPrintTickets = mayOpen(useMe(), "picking-tickets");
  const { batch_id, batch_number, orders, kind } = batch;
  const path = { batch_id };
  return (
    <>
      {orders.length > 0 && (
        <Printout
          label={t("toteLabels")}
          path={`/api/picking/batch/${batch_id}/labels`}
          print={{ document: "tote_label", record_ids: [batch_id] }}
          warehouseId={batch.warehouse_id}
        />
      )}
      {orders.length > 0 && mayPrintTickets && (
        <Printout
          label={planning("tickets")}
          path={`/api/admin/picking-tickets?so_ids=${orders.map(({ so_id }) => so_id).join(",")}`}
          print={{ document: "picking_ticket", record_ids: orders.map(({ so_id }) => so_id) }}
          warehouseId={batch.warehouse_id}
        />
      )}
      {isActive(batch) && batch.tasks.length > 0 && countOf(batch, "PENDING") === 0 && (
        <Decision
          label={t("complete")}
          title={t("completeTitle", { number: batch_number })}
          act={(_, api) => api.post("/api/picking/complete-batch", { body: path })}
        />
      )}
      {isActive(batch) && mayCancel && !batch.assigned_to && <Assign {...batch} />}
      {isActive(batch) && mayCancel && batch.assigned_to && mayHandOver(batch) && (
        <HandOver wave={batch} picker={batch.assigned_to} />
      )}
      {isActive(batch) && isUnbegun(batch) && (
        <Decision
          label={board("giveBack")}
          title={board("giveBackTitle", { number: batch_number })}
          act={(_, api) => api.post("/api/picking/give-back", { body: path })}
        >
          {board("giveBackHint")}
        </Decision>
      )}
      {batch.lease && mayCancel && (
        <Decision
          label={t("endLease")}
          title={t("endLeaseTitle", { number: batch_number, device: batch.lease.device })}
          act={(_, api) => api.post("/api/admin/pick-batches/{batch_id}/end-lease", { path })}
        >
          {t("endLeaseHint")}
        </Decision>
      )}
      {isActive(batch) && kind === "SO" && mayCancel && (
        <Decision
          isDangerous
          label={t("cancelWave")}
          title={t("cancelTitle", { number: batch_number })}
          act={(_, api) => api.post("/api/admin/pick-batches/{batch_id}/delete", { path })}
        >
          {t("cancelHint")}
        </Decision>
      )}
    </>
  );
}
