import type { StoryEntry } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { actionText } from "../../../texts/actions.js";
import { t } from "../../../texts/orders.js";
import { statusText } from "../../../texts/statuses.js";
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

function happening(entry: StoryEntry, workflows: string | null): Happening {
  const { at, by, state, details, workflow_id } = entry;
  // Ids are for programs.
  const said = Object.entries(details ?? {}).filter(
    ([name, value]) => ["string", "number"].includes(typeof value) && !name.endsWith("_id"),
  );
  const detail = [state && statusText(state), ...said.map(([name, value]) => `${name.replaceAll("_", " ")} ${value}`)];
  return {
    ...{ at, by, title: titleOf(entry), detail: detail.filter(Boolean).join(" · ") },
    isBad: ["failed", "dlq", "VOIDED", "CANCELLED"].includes(state ?? ""),
    link:
      workflow_id && workflows
        ? { to: workflows + encodeURIComponent(workflow_id), text: t("watchWorkflow") }
        : undefined,
  };
}
