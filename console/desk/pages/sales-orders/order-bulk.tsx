import { Checkbox, NativeSelect, NumberInput, Text, TextInput } from "@mantine/core";
import type { AccountWithMenus, Backorder, SalesOrderSummary } from "../../../../client/src/index.js";
import type { Api } from "../../../shared/api.js";
import { mayOpen } from "../../../shared/session.js";
import { fieldText } from "../../../texts/sales-order-fields.js";
import { t } from "../../../texts/sales-orders.js";
import type { BulkAction } from "../../components/bulk-action.js";
import { printEach, printMany } from "../../components/print-label.js";
import { releaseWavesAction } from "../../components/release-waves.js";
import { optionsOf } from "../../values.js";
import { isFulfilled, isUnderWay, mayEdit, mayEditFully } from "./order-state.js";

/** What can be done with many orders at once, by whoever may do it with one. */

type Order = SalesOrderSummary;

/** Changes one field of the header; the way back is what it was. */
const change = (field: "ship_by_date" | "priority") => ({
  each: ({ so_id }: Order, values: Record<string, string>, api: Api) => {
    const value = field === "priority" ? Number(values[field]) : values[field];
    return api.put("/api/admin/sales-orders/{so_id}", { path: { so_id }, body: { [field]: value } });
  },
  undo: ({ so_id, ...before }: Order, api: Api) =>
    api.put("/api/admin/sales-orders/{so_id}", { path: { so_id }, body: { [field]: before[field] } }),
});

const changeActions = (me: AccountWithMenus): BulkAction<Order>[] => [
  {
    label: t("changeShipBy"),
    fields: (
      <TextInput
        type="date"
        name="ship_by_date"
        label={fieldText("ship_by_date")}
        description={t("changeShipByHint")}
        data-autofocus
      />
    ),
    fits: (order) => isUnderWay(order) && mayEdit(me, order),
    ...change("ship_by_date"),
  },
  {
    label: t("changePriority"),
    fields: (
      <NumberInput
        name="priority"
        label={fieldText("priority")}
        description={t("changePriorityHint")}
        min={0}
        max={10}
        allowDecimal={false}
        required
        data-autofocus
      />
    ),
    fits: (order) => isUnderWay(order) && mayEdit(me, order),
    ...change("priority"),
  },
];

const shipAction = (): BulkAction<Order> => ({
  label: t("shipWithout"),
  fields: <Checkbox name="short" label={t("shipShort")} />,
  fits: ({ status }) => status === "PICKED" || status === "PACKED",
  each: ({ so_id }, { short }, api) =>
    api.post("/api/admin/sales-orders/{so_id}/admin-ship", {
      path: { so_id },
      body: { acknowledge_shortfall: short === "on" },
    }),
});

const papers = {
  ...{ "pdf A4": "A4 · PDF", "pdf Letter": "Letter · PDF" },
  ...{ "pdf 4x6in": "4 × 6 in · PDF", "zpl 4x6in": "4 × 6 in · ZPL" },
};

/** The packing slips of orders as one file. */
export const slipsAction = (): BulkAction<{ so_id: number }> =>
  printMany({
    label: t("packingSlips"),
    fields: <NativeSelect name="paper" label={t("paper")} data={optionsOf(papers)} data-autofocus />,
    ...{ path: "/api/packing/packing-slips", name: "so_ids", idOf: ({ so_id }) => so_id },
    how: ({ paper = "" }) => {
      const [format = "pdf", size] = paper.split(" ");
      return { format, size };
    },
  });

/** The picking tickets of orders, on a page that prints them in one go. */
const ticketsAction = (show: (so_ids: number[]) => void): BulkAction<Order> => ({
  label: t("tickets"),
  fits: isFulfilled,
  together: async (orders) => {
    show(orders.map(({ so_id }) => so_id));
    return undefined;
  },
});

/** The same on a printer of the warehouse. */
const printTicketsAction = (): BulkAction<Order> => ({
  ...printEach<Order>({ label: t("printTickets"), document: "picking_ticket", idsOf: ({ so_id }) => [so_id] }),
  fits: isFulfilled,
});

const releaseHoldAction = (): BulkAction<Order> => ({
  label: t("releaseHold"),
  fields: <Text size="sm">{t("releaseHoldHint")}</Text>,
  fits: ({ hold_reason }) => hold_reason !== null,
  each: ({ so_id }, _, api) => api.post("/api/admin/sales-orders/{so_id}/release-hold", { path: { so_id } }),
});

const releaseAction = (): BulkAction<Order> => ({
  label: t("release"),
  fits: ({ status }) => status === "FRAUD_REVIEW",
  each: ({ so_id }, _, api) => api.post("/api/admin/sales-orders/{so_id}/push-to-queue", { path: { so_id } }),
});

const cancelAction = (): BulkAction<Order> => ({
  label: t("cancelOrder"),
  isDangerous: true,
  fields: <Text size="sm">{t("cancelHint")}</Text>,
  fits: isUnderWay,
  each: async ({ so_id }, _, api) => {
    const { pre_status } = await api.post("/api/admin/sales-orders/{so_id}/cancel", { path: { so_id } });
    return pre_status === "CANCELLED" ? t("cancelledBefore") : undefined;
  },
});

/** Of the list of orders; `show` opens the page of tickets. */
export const orderActions = (me: AccountWithMenus, show: (so_ids: number[]) => void): BulkAction<Order>[] => [
  ...(mayOpen(me, "picking-batches") ? [releaseWavesAction()] : []),
  ...(mayOpen(me, "picking-tickets") ? [ticketsAction(show), printTicketsAction()] : []),
  slipsAction(),
  ...changeActions(me),
  ...(mayEditFully(me) ? [shipAction()] : []),
  releaseHoldAction(),
  ...(mayOpen(me, "fraud") ? [releaseAction()] : []),
  cancelAction(),
];

/** Of the orders that wait for a decision. */
export const heldOrderActions = (me: AccountWithMenus): BulkAction<Order>[] => [
  releaseAction(),
  ...(mayOpen(me, "sales-orders") ? [cancelAction()] : []),
];

/** Of backorders. */
export const backorderActions = (): BulkAction<Backorder>[] => [
  {
    label: t("cancelBackorder"),
    isDangerous: true,
    fields: <BackorderReason />,
    fits: ({ status }) => ["WAITING_STOCK", "OPEN"].includes(status),
    each: ({ so_id }, values, api) => cancelBackorder(so_id, values, api),
  },
];

export const cancelBackorder = (so_id: number, { reason }: Record<string, string>, api: Api) =>
  api.post("/api/admin/sales-orders/{so_id}/cancel-backorder", {
    path: { so_id },
    body: { cancellation_reason: reason || null },
  });

/** Why a backorder is cancelled. */
export const BackorderReason = () => (
  <NativeSelect
    name="reason"
    label={t("reason")}
    data={[
      { value: "refunded", label: t("reasonRefunded") },
      { value: "customer_request", label: t("reasonCustomer") },
      { value: "discontinued", label: t("reasonDiscontinued") },
      { value: "", label: t("reasonOther") },
    ]}
    data-autofocus
  />
);
