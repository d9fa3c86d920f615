import { Button, Checkbox, NativeSelect, Text, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import type {
  AccountWithMenus,
  ConnectorSyncState,
  InboundAttempt,
  InventoryAdjustment,
} from "../../../../../client/src/index.js";
import { type Api, useAction, useRead } from "../../../../shared/api.js";
import { mayOpen } from "../../../../shared/session.js";
import { faultText } from "../../../../texts/faults.js";
import { t } from "../../../../texts/inbox.js";
import { scopeText } from "../../../../texts/scopes.js";
import { Decision } from "../../../components/decision.js";
import { LinkButton } from "../../../components/maybe-link.js";
import { Loaded, Refused } from "../../../components/states.js";
import { optionsOf, typed } from "../../../values.js";
import { DecideAgentCall } from "../../agents/decide.js";
import { Decide as DecideAdjustment, DecideAll } from "../../counting/decide.js";
import { CancelOrder, ReleaseOrder } from "../../sales-orders/order-actions.js";
import { ReleaseHold } from "../../sales-orders/order-hold.js";
import { mayEditFully } from "../../sales-orders/order-state.js";
import { Decide as DecideInspection } from "../../stock/holds/decide.js";
import { ConditionField, type HeldCondition, ReasonField, UnitsField } from "../../stock/holds/hold-fields.js";
import { Decide as DecideTransfer } from "../../transfers/approvals.js";
import type { Entry, Kind } from "./places.js";

/** What settles an entry, as buttons for those who may do it: each acts by the route that its page has, too. */
type Step = (entry: Entry, me: AccountWithMenus) => ReactNode;

const orderOf = ({ record_id, label }: Entry) => ({ so_id: Number(record_id), so_number: label });

/** The customer is told, or gets another parcel, on the order's page; here it is said what became of this one. */
function settleParcel({ record_id, label }: Entry): ReactNode {
  const [so_id, parcel_id] = record_id.split("/");
  return (
    <>
      <LinkButton isSmall to={`/orders/${so_id}`} label={t("openOrder")} />
      <Decision
        isSmall
        label={t("closeParcel")}
        title={t("closeParcelOf", { label })}
        act={({ reason }, api) =>
          api.post("/api/admin/parcels/{parcel_id}/tracking/close", {
            path: { parcel_id: Number(parcel_id) },
            body: { reason: reason ?? "" },
          })
        }
      >
        <TextInput name="reason" label={t("whatBecame")} required maxLength={500} data-autofocus />
      </Decision>
    </>
  );
}

export const nextSteps: Record<Kind, Step> = {
  late_order: (entry, me) => {
    const { so_id, so_number } = orderOf(entry);
    // Its status is the reason where it is no longer open.
    if (entry.reason !== null && !mayEditFully(me)) return null;
    return (
      <Decision
        isSmall
        label={t("changeDay")}
        title={t("changeDayOf", { label: so_number })}
        act={({ ship_by_date }, api) =>
          api.put("/api/admin/sales-orders/{so_id}", { path: { so_id }, body: { ship_by_date } })
        }
      >
        <TextInput type="date" name="ship_by_date" label={t("newDay")} required data-autofocus />
      </Decision>
    );
  },
  // The rest is decided about once its wave has ended; until then there may be more of the item to be brought.
  short_pick: ({ record_id }) => <LinkButton isSmall to={`/orders/${record_id}`} label={t("openOrder")} />,
  short_order: (entry, me) => {
    const { so_id, so_number } = orderOf(entry);
    const choices = {
      ship_short: t("shipShort"),
      ...(mayEditFully(me) && { wait: t("letWait"), cancel_rest: t("cancelRest") }),
    };
    return (
      <Decision
        isSmall
        label={t("decideRest")}
        title={t("decideRestOf", { label: so_number })}
        act={({ decision, reason_detail }, api) =>
          api.post("/api/admin/sales-orders/{so_id}/short-decision", {
            path: { so_id },
            body: { decision: decision as keyof typeof choices, reason_detail: typed(reason_detail) },
          })
        }
      >
        <NativeSelect name="decision" label={t("decision")} data={optionsOf(choices)} data-autofocus />
        <TextInput name="reason_detail" label={t("reason")} maxLength={500} />
      </Decision>
    );
  },
  held_order: (entry) => <ReleaseHold isSmall {...orderOf(entry)} />,
  order_in_review: (entry, me) => (
    <>
      <ReleaseOrder isSmall {...orderOf(entry)} />
      {mayOpen(me, "sales-orders") && <CancelOrder isSmall {...orderOf(entry)} />}
    </>
  ),
  // Which receipt is taken back, or which line is to be raised, is decided on the order.
  over_received: ({ record_id }) => (
    <LinkButton isSmall to={`/purchase-orders/${record_id}`} label={t("correctOrder")} />
  ),
  adjustment: ({ record_id }, me) =>
    mayOpen(me, "count-approvals") && (
      <PendingAdjustments of={({ adjustment_id }) => adjustment_id === Number(record_id)} />
    ),
  count_variance: ({ record_id }) => <PendingAdjustments of={(one) => one.cycle_count_id === Number(record_id)} />,
  transfer_approval: ({ record_id }) => <TransferApprovals to_id={Number(record_id)} />,
  expiring_stock: ({ record_id, label, name, units }) => (
    <Decision
      isSmall
      label={t("hold")}
      title={t("holdOf", { label, bin: name ?? "" })}
      act={({ quantity, condition, reason = "" }, api) =>
        api.post("/api/admin/inventory/{inventory_id}/hold", {
          path: { inventory_id: Number(record_id) },
          body: { quantity: Number(quantity), condition: condition as HeldCondition, reason },
        })
      }
    >
      <ConditionField />
      <UnitsField most={units ?? 1} />
      <ReasonField />
    </Decision>
  ),
  inspection: ({ record_id }) => <OpenInspection inspection_id={Number(record_id)} />,
  recall: ({ record_id }) => (
    <Decision
      isSmall
      isDangerous
      label={t("closeRecall")}
      title={t("closeRecallOf", { number: record_id })}
      act={({ reason, force }, api) =>
        api.post("/api/admin/recalls/{recall_id}/close", {
          path: { recall_id: Number(record_id) },
          body: { reason: typed(reason), force: force === "true" },
        })
      }
    >
      <ReasonField isFirst isOptional />
      <Checkbox name="force" value="true" label={t("force")} />
    </Decision>
  ),
  agent_approval: ({ record_id, label, name }) => (
    <DecideAgentCall
      approval={{ approval_id: Number(record_id), operation: label, agent: name ?? "", is_own: false }}
    />
  ),
  refused_push: ({ record_id }) => <TryAgain record_id={record_id} />,
  // The next sync reads what was refused once more.
  refused_record: ({ name: connector, label, warehouse_id }) => {
    const name = connector ?? "";
    return (
      <Decision
        isSmall
        label={t("readAgain")}
        title={t("readAgainOf", { label, name })}
        act={({ sync_type }, api) => sync({ name, warehouse_id, sync_type }, api)}
      >
        <RefusedRecord {...{ name, label, warehouse_id }} />
      </Decision>
    );
  },
  failed_sync: ({ record_id }) => {
    const [name = "", warehouse, sync_type = ""] = record_id.split("/");
    return (
      <Decision
        isSmall
        label={t("syncNow")}
        title={t("syncNowOf", { type: scopeText(sync_type), name })}
        act={(_, api) => sync({ name, warehouse_id: Number(warehouse), sync_type }, api)}
      />
    );
  },
  failed_push: ({ record_id, label, name }) => (
    <Decision
      isSmall
      label={t("sendAgain")}
      title={t("sendAgainOf", { label, name: name ?? "" })}
      act={(_, api) =>
        api.post("/api/admin/connector-pushes/{push_id}/retry", { path: { push_id: Number(record_id) } })
      }
    />
  ),
  paused_webhook: ({ record_id, label }) => (
    <Decision
      isSmall
      label={t("resume")}
      title={t("resumeOf", { label })}
      act={(_, api) =>
        api.patch("/api/admin/webhooks/{subscription_id}", {
          path: { subscription_id: record_id },
          body: { status: "active" },
        })
      }
    />
  ),
  dead_letters: ({ record_id, label, units }) => (
    <Decision
      isSmall
      label={t("sendAgain")}
      title={t("sendAllAgainOf", { label, units: units ?? 0 })}
      act={(_, api) =>
        api.post("/api/admin/webhooks/{subscription_id}/replay-batch", {
          path: { subscription_id: record_id },
          body: { filter: { status: "dlq" }, acknowledge_large_replay: true },
        })
      }
    />
  ),
  paused_channel: ({ record_id, label }) => (
    <Decision
      isSmall
      label={t("resume")}
      title={t("resumeOf", { label })}
      act={(_, api) =>
        api.patch("/api/admin/channels/{channel_id}", { path: { channel_id: record_id }, body: { status: "active" } })
      }
    />
  ),
  // Another service or a corrected address is chosen there.
  label_failed: ({ record_id }) => <LinkButton isSmall to={`/orders/${record_id}`} label={t("openOrder")} />,
  parcel_exception: settleParcel,
  parcel_late: settleParcel,
  parcel_lost: settleParcel,
  not_collected: ({ record_id }) => <LinkButton isSmall to={`/orders/${record_id}`} label={t("openOrder")} />,
  print_failed: ({ record_id, label }) => {
    const path = { job_id: Number(record_id) };
    return (
      <>
        <Decision
          isSmall
          label={t("printAgain")}
          title={t("printAgainOf", { label })}
          act={(_, api) => api.post("/api/printing/jobs/{job_id}/again", { path })}
        />
        <Decision
          isSmall
          isDangerous
          label={t("discard")}
          title={t("discardOf", { label })}
          act={(_, api) => api.post("/api/printing/jobs/{job_id}/cancel", { path })}
        />
      </>
    );
  },
};

interface Sync {
  name: string;
  warehouse_id: number | null;
  sync_type: string | undefined;
}

const sync = ({ name, warehouse_id, sync_type }: Sync, api: Api) =>
  api.post("/api/admin/connectors/{name}/sync/{sync_type}", {
    path: { name, sync_type: sync_type as ConnectorSyncState["sync_type"] },
    body: { warehouse_id: warehouse_id as number },
  });

/** Which sync reads a refused record once more, and why it was refused. */
function RefusedRecord({ name, label, warehouse_id }: Omit<Sync, "sync_type"> & { label: string }) {
  const query = { warehouse_id: warehouse_id as number, per_page: 1000 };
  const found = useRead("/api/admin/connectors/{name}/refused-records", { path: { name }, query });
  return (
    <Loaded of={found}>
      {({ refused_records }) => {
        const record = refused_records.find(({ external_id }) => external_id === label);
        return (
          <>
            <input type="hidden" name="sync_type" value={record?.sync_type ?? "orders"} />
            <Text size="sm">{faultText(record?.error_message ?? null)}</Text>
          </>
        );
      }}
    </Loaded>
  );
}

/** The adjustments of an entry, each to be approved or rejected; all rows share one answer. */
function PendingAdjustments({ of }: { of: (adjustment: InventoryAdjustment) => boolean }) {
  const { data } = useRead("/api/admin/adjustments/pending");
  const mine = (data?.adjustments ?? []).filter(of);
  const [only] = mine.length === 1 ? mine : [];
  return only ? <DecideAdjustment adjustment={only} /> : <DecideAll isSmall adjustments={mine} />;
}

/** Units in quarantine, or a lot, about which somebody decides. */
function OpenInspection({ inspection_id }: { inspection_id: number }) {
  const { data } = useRead("/api/admin/inspections/{inspection_id}", { path: { inspection_id } });
  return data ? <DecideInspection isSmall inspection={data} /> : null;
}

/** What waits of a transfer order. */
function TransferApprovals({ to_id }: { to_id: number }) {
  const { data } = useRead("/api/admin/transfer-orders/{to_id}", { path: { to_id } });
  return (data?.approvals ?? []).map((approval) => (
    <DecideTransfer key={approval.to_approval_id} to_id={to_id} approval={approval} />
  ));
}

/** Opens the form that tries a payload, with the one that was refused. */
function TryAgain({ record_id }: { record_id: string }) {
  const navigate = useNavigate();
  const [resource, inbound_id] = record_id.split("/");
  const path = { resource: resource as InboundAttempt["resource"], inbound_id: Number(inbound_id) };
  const read = useAction(
    (_: object, api) => api.get("/api/admin/inbound/activity/{resource}/{inbound_id}", { path }),
    (record) => void navigate("/inbound-try", { state: record }),
  );
  return (
    <>
      <Refused error={read.error} />
      <Button size="xs" variant="default" loading={read.isPending} onClick={() => read.mutate({})}>
        {t("tryPayload")}
      </Button>
    </>
  );
}
