import { Anchor } from "@mantine/core";
import type { StoryEntry } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { NOTHING } from "../../../shared/format.js";
import { actionText } from "../../../texts/actions.js";
import { saidText } from "../../../texts/faults.js";
import { fieldText } from "../../../texts/sales-order-fields.js";
import { t } from "../../../texts/sales-orders.js";
import { statusText } from "../../../texts/statuses.js";
import { sentenceOf } from "../../../texts/story.js";
import { valueText } from "../../../texts/values.js";
import { Empty, Loaded } from "../../components/states.js";
import { type Happening, Story } from "../../components/story.js";

/** All that happened to an order, from whichever record tells of it. */
export function OrderStory({ so_id }: { so_id: number }) {
  const found = useRead("/api/admin/sales-orders/{so_id}/story", { path: { so_id } });
  return (
    <Loaded of={found}>
      {({ entries, workflows_url, shop_url }) => (
        <>
          {shop_url && (
            <Anchor href={shop_url} target="_blank" rel="noreferrer" display="block" mb="sm">
              {t("atShop")}
            </Anchor>
          )}
          {entries.length > 0 ? (
            <Story of={inSentences(entries).map((one) => happening(one, workflows_url))} />
          ) : (
            <Empty title={t("noStory")} />
          )}
        </>
      )}
    </Loaded>
  );
}

/** Fields that were changed at once, such as those of an address, are rows of the audit log and one sentence. */
function inSentences(entries: StoryEntry[]): StoryEntry[][] {
  const sentences = new Map<unknown, StoryEntry[]>();
  for (const entry of entries) {
    const { at, by, details } = entry;
    const key = typeof details?.field === "string" ? `${at} ${by} ${titleOf(entry)}` : entry;
    sentences.set(key, [...(sentences.get(key) ?? []), entry]);
  }
  return [...sentences.values()];
}

/** Which case of an action it was, for those that are said otherwise. */
function caseOf({ name, details }: StoryEntry): string | undefined {
  const { source, status, hold_reason, order_type, parent_so_number, field, old_value, decision, reason } =
    details ?? {};
  switch (name) {
    case "CREATE":
      if (isPush(details)) return "push";
      if (order_type === "return" || order_type === "backorder") return order_type;
      return parent_so_number ? "part" : source === "import" ? "import" : undefined;
    case "UPDATE":
      return isPush(details) ? "push" : details?.printed_at ? "printed" : undefined;
    case "CANCEL":
      return status === "REFUNDED" ? "refunded" : undefined;
    case "PICK":
      return details?.type === "SHORT_PICK" ? "short" : undefined;
    case "SHIP":
      return details?.tracking_number ? "tracked" : undefined;
    case "SO_HELD":
      return hold_reason as string;
    case "SO_LEFT_OUT":
      return reason as string;
    case "SO_SHORT_DECIDED":
      return decision as string;
    case "SO_ALLOCATION_RELEASED":
      return field ? "field" : reason === "too_old" ? reason : undefined;
    case "SO_STATUS_CHANGED":
      return { WAITING_STOCK: "stock", FRAUD_REVIEW: "reviewed", CANCELLED: "reopened" }[old_value as string];
    case "FULFILLMENT_PUSH":
      return details?.kind === "void" ? "void" : undefined;
    default:
      return undefined;
  }
}

/** A push is audited as the document that it was. */
const isPush = (details: StoryEntry["details"]) => typeof details?.source_system === "string" && "field_set" in details;

function titleOf(entry: StoryEntry): string {
  const { kind, name, by, by_name } = entry;
  const details = entry.details ?? {};
  const values = {
    ...{ ...details, name, number: details.external_id },
    source: by?.startsWith("system:connector:") ? by_name : details.source_system,
    ...(typeof details.why === "string" && { why: saidText(details.why) }),
    parent: details.parent_so_number ?? details.original_so_number,
  };
  const own = kind === "audit" || kind === "event" ? sentenceOf(name, caseOf(entry), values) : undefined;
  return own ?? sentenceOf(kind, undefined, values) ?? actionText(name);
}

/** A wave has a page. */
const pageOf = ({ kind, details }: StoryEntry) => (kind === "wave" ? `/waves/${details?.batch_id}` : undefined);

/** What was changed, and what somebody said about it. Of what the audit log keeps beside, the sentence says enough. */
const SAID = ["reason", "cancellation_reason", "notes", "error", "last_error", "from_status", "to_status"];

function detailsOf(details: Record<string, unknown>, isUpdate: boolean): string[] {
  const { field, old_value, new_value, field_set } = details;
  const said = SAID.filter((name) => details[name]).map((name) =>
    t("detail", { field: fieldText(name), value: valueText(String(details[name])) }),
  );
  // Of a new order these are all that it has.
  const fields =
    isUpdate && Array.isArray(field_set) ? field_set.map(String).filter((one) => one !== "warehouse_id") : [];
  return [
    ...(typeof field === "string" ? [changeOf(field, old_value, new_value)] : []),
    ...(fields.length > 0 ? [t("detail", { field: t("fields"), value: fields.map(changedField).join(", ") })] : []),
    ...said,
  ];
}

const changeOf = (field: string, before: unknown, after: unknown) =>
  t("changed", { field: changedField(field), before: shown(before), after: shown(after) });

const shown = (value: unknown) => (value === null || value === "" ? NOTHING : valueText(String(value)));

/** `line[MUG-1].quantity_ordered`, `shipping_address_city` or `carrier`. */
function changedField(field: string): string {
  const [, sku, ofLine] = /^line\[(.+)\](?:\.(\w+))?$/.exec(field) ?? [];
  if (sku) return ofLine ? `${sku}, ${fieldText(ofLine)}` : sku;
  const [, whose, part] = /^(shipping|billing)_address_(\w+)$/.exec(field) ?? [];
  if (!part) return fieldText(field);
  return `${t(whose === "shipping" ? "shippingAddress" : "billingAddress")}, ${fieldText(part)}`;
}

function happening(sentence: StoryEntry[], workflows: string | null): Happening {
  const [entry] = sentence as [StoryEntry, ...StoryEntry[]];
  const { at, by, by_name, state, workflow_id } = entry;
  const said = sentence.flatMap(({ name, details }) => detailsOf(details ?? {}, name === "UPDATE"));
  const detail = [...(state ? [statusText(state)] : []), ...new Set(said)];
  return {
    ...{ at, by, by_name, title: titleOf(entry), page: pageOf(entry), detail: detail.join(" · ") },
    isBad: ["failed", "dlq", "VOIDED", "CANCELLED"].includes(state ?? ""),
    workflow: workflow_id && workflows ? workflows + encodeURIComponent(workflow_id) : undefined,
  };
}
