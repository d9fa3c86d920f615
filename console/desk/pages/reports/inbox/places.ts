import type { Inbox } from "../../../../../client/src/index.js";
import { t as connectors } from "../../../../texts/connectors.js";
import { quoted, saidText } from "../../../../texts/faults.js";
import { t } from "../../../../texts/inbox.js";
import { reasonName } from "../../../../texts/reasons.js";
import { scopeText } from "../../../../texts/scopes.js";
import { documentChoices } from "../../printing/documents.js";

export type Part = Inbox["parts"][number];
export type Kind = Part["kind"];
export type Entry = Part["entries"][number];

/** A record of a parcel goes by its order, then itself. */
function orderOfParcel({ record_id }: Entry): string {
  return `/orders/${record_id.split("/")[0]}`;
}

interface KindOfEntry {
  title: () => string;
  /** The page on which one is settled. */
  page: (entry: Entry) => string;
  /** What its name is the name of; that of whoever opened it is a username. */
  named?: () => string;
  isPerson?: true;
  /** Its reason in words, where that is not one of `reasonName`. */
  reason?: (code: string) => string | undefined;
  /** What else is said, where a carrier or a printer says it. */
  detail?: (said: string) => string;
}

const documentText = (document: string) => documentChoices()[document as keyof ReturnType<typeof documentChoices>];

/** What entries of a kind are called, where one is settled, and how it is said why. */
export const kinds: Record<Kind, KindOfEntry> = {
  late_order: {
    title: () => t("late_order"),
    named: () => t("customer"),
    page: ({ record_id }) => `/orders/${record_id}`,
  },
  short_pick: {
    title: () => t("short_pick"),
    named: () => t("customer"),
    page: ({ record_id }) => `/orders/${record_id}`,
  },
  short_order: {
    title: () => t("short_order"),
    named: () => t("customer"),
    page: ({ record_id }) => `/orders/${record_id}`,
  },
  held_order: {
    title: () => t("held_order"),
    named: () => t("customer"),
    page: ({ record_id }) => `/orders/${record_id}`,
  },
  order_in_review: { title: () => t("order_in_review"), named: () => t("customer"), page: () => "/held-orders" },
  over_received: {
    title: () => t("over_received"),
    named: () => t("vendor"),
    page: ({ record_id }) => `/purchase-orders/${record_id}`,
  },
  adjustment: { title: () => t("adjustment"), named: () => t("bin"), page: () => "/review" },
  count_variance: { title: () => t("count_variance"), page: () => "/review" },
  transfer_approval: {
    title: () => t("transfer_approval"),
    named: () => t("from"),
    page: ({ record_id }) => `/transfer-orders/${record_id}`,
  },
  expiring_stock: { title: () => t("expiring_stock"), named: () => t("bin"), page: () => "/expiring?expires_within=7" },
  inspection: {
    title: () => t("inspection"),
    named: () => t("by"),
    isPerson: true,
    page: ({ record_id }) => `/inspections/${record_id}`,
  },
  recall: {
    title: () => t("recall"),
    named: () => t("by"),
    isPerson: true,
    page: ({ record_id }) => `/recalls/${record_id}`,
  },
  agent_approval: {
    title: () => t("agent_approval"),
    named: () => t("agent"),
    page: ({ record_id }) => `/agent-approvals/${record_id}`,
  },
  refused_push: {
    title: () => t("refused_push"),
    named: () => t("sourceSystem"),
    page: ({ record_id }) => `/inbound/${record_id}`,
  },
  refused_record: {
    title: () => t("refused_record"),
    named: () => t("connector"),
    page: ({ name }) => `/connectors/${name}`,
  },
  failed_sync: {
    ...{ title: () => t("failed_sync"), page: ({ label }) => `/connectors/${label}` },
    reason: scopeText,
  },
  failed_push: {
    ...{ title: () => t("failed_push"), named: () => t("connector"), page: () => "/pushes?status=failed" },
    reason: (kind) => connectors(kind === "ship" ? "ship" : "void"),
  },
  paused_webhook: {
    title: () => t("paused_webhook"),
    named: () => t("partner"),
    page: ({ record_id }) => `/webhooks/${record_id}`,
  },
  dead_letters: {
    title: () => t("dead_letters"),
    named: () => t("partner"),
    page: ({ record_id }) => `/webhooks/${record_id}/dead-letters`,
  },
  label_failed: {
    ...{ title: () => t("label_failed"), named: () => t("carrier"), page: ({ record_id }) => `/orders/${record_id}` },
    ...{ reason: (refusal) => reasonName(`label_${refusal}`), detail: saidText },
  },
  parcel_exception: {
    title: () => t("parcel_exception"),
    named: () => t("carrier"),
    page: orderOfParcel,
    detail: quoted,
  },
  parcel_late: { title: () => t("parcel_late"), named: () => t("carrier"), page: orderOfParcel },
  parcel_lost: { title: () => t("parcel_lost"), named: () => t("carrier"), page: orderOfParcel },
  not_collected: {
    title: () => t("not_collected"),
    named: () => t("carrier"),
    page: ({ record_id }) => `/orders/${record_id}`,
  },
  print_failed: {
    ...{ title: () => t("print_failed"), named: () => t("printer"), page: () => "/print-jobs?status=failed" },
    ...{ reason: documentText, detail: saidText },
  },
  paused_channel: { title: () => t("paused_channel"), page: ({ record_id }) => `/channels/${record_id}` },
};
