import { t } from "../../../texts/agents.js";
import { choicesOf } from "../../../texts/statuses.js";
import { ListPage } from "../../components/data-list.js";
import { DecideAgentCall } from "./decide.js";

/** What agents ask for: what waits for a person, and what became of the rest. */
export default function Approvals() {
  return (
    <ListPage
      title={t("approvals")}
      none="agentCalls"
      path="/api/admin/agent-approvals"
      rows="approvals"
      to={({ approval_id }) => `/agent-approvals/${approval_id}`}
      filters={[
        {
          name: "status",
          label: t("status"),
          choices: choicesOf(["WAITING", "APPROVED", "DONE", "FAILED", "REJECTED", "EXPIRED"]),
        },
      ]}
      columns={[
        { field: "operation", title: t("operation"), sorts: true },
        { field: "summary", title: t("does") },
        { field: "agent", title: t("agent") },
        { field: "asked_by", title: t("askedBy"), as: "person" },
        { field: "status", title: t("status"), sorts: true, as: "status" },
        { field: "asked_at", title: t("askedAt"), sorts: true, as: "time" },
        { field: "expires_at", title: t("expires"), sorts: true, as: "time" },
        { field: "decided_by", title: t("decidedBy"), as: "person" },
        {
          ...{ field: "actions", title: t("actions"), right: true },
          show: (row) => row.status === "WAITING" && <DecideAgentCall approval={row} />,
        },
      ]}
    />
  );
}
