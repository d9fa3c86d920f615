import type { StoryEntry } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { NOTHING } from "../../../shared/format.js";
import { actionText } from "../../../texts/actions.js";
import { fieldText } from "../../../texts/order-fields.js";
import { t } from "../../../texts/orders.js";
import { statusText } from "../../../texts/statuses.js";
import { valueText } from "../../../texts/values.js";
import { Empty, Loaded } from "../../components/states.js";
import { type Happening, Story } from "../../components/story.js";

/** All that happened to an order, from whichever record tells of it. */
export function OrderStory({ so_id }: { so_id: number }) {
  const found = useRead("/api/admin/sales-orders/{so_id}/story", { path: { so_id } });
  return (
    <Loaded of={found}>
      {({ entries, workflows_url }) =>
        entries.length > 0 ? (
          <Story of={entries.map((entry) => happening(entry, workflows_url))} />
        ) : (
          <Empty title={t("noStory")} />
        )
      }
    </Loaded>
  );
}

function titleOf({ kind, name }: StoryEntry): string {
  switch (kind) {
    case "audit":
      return actionText(name);
    case "wave":
      return t("wave", { number: name });
    case "shipment":
      return t("shipment", { tracking: name });
    case "push":
      return t("push", { name });
    case "event":
      return t("event", { type: name });
    case "delivery":
      return t("delivery", { name });
  }
}

/** A wave has a page; its workflow is named by its id. */
function pageOf({ kind, workflow_id }: StoryEntry): string | undefined {
  const [, batchId] = /^pick-wave-(\d+)$/.exec(workflow_id ?? "") ?? [];
  return kind === "wave" && batchId ? `/waves/${batchId}` : undefined;
}

/** What the audit log says beside the action: ids are for programs, and which order it is everybody knows. */
function detailsOf(details: Record<string, unknown>): string[] {
  const { field, old_value, new_value, so_number: _so_number, ...others } = details;
  const said = Object.entries(others)
    .filter(([name, value]) => ["string", "number"].includes(typeof value) && !name.endsWith("_id"))
    .map(([name, value]) => t("detail", { field: fieldText(name), value: valueText(String(value)) }));
  return typeof field === "string" ? [changeOf(field, old_value, new_value), ...said] : said;
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

function happening(entry: StoryEntry, workflows: string | null): Happening {
  const { at, by, state, details, workflow_id } = entry;
  const detail = [...(state ? [statusText(state)] : []), ...detailsOf(details ?? {})];
  return {
    ...{ at, by, title: titleOf(entry), page: pageOf(entry), detail: detail.join(" · ") },
    isBad: ["failed", "dlq", "VOIDED", "CANCELLED"].includes(state ?? ""),
    workflow: workflow_id && workflows ? workflows + encodeURIComponent(workflow_id) : undefined,
  };
}
