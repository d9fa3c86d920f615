import { Group, Textarea } from "@mantine/core";
import type { AgentApproval } from "../../../../client/src/index.js";
import type { Api } from "../../../shared/api.js";
import { t } from "../../../texts/agents.js";
import { Decision } from "../../components/decision.js";
import { typed } from "../../values.js";

type Asked = Pick<AgentApproval, "approval_id" | "operation" | "agent" | "is_own">;

const decide =
  ({ approval_id }: Asked, how: "approve" | "reject") =>
  ({ reason }: Record<string, string>, api: Api) =>
    api.post(`/api/admin/agent-approvals/{approval_id}/${how}`, {
      path: { approval_id },
      body: { reason: typed(reason) },
    });

/**
 * Approves or rejects what an agent asks for. Of one's own agent it is withdrawn; whether it may be approved says the
 * service.
 */
export function DecideAgentCall({ approval }: { approval: Asked }) {
  const what = { operation: approval.operation, agent: approval.agent };
  const reason = <Textarea name="reason" label={t("reason")} maxLength={500} autosize data-autofocus />;
  return (
    <Group gap="xs" justify="end" wrap="nowrap">
      <Decision isSmall label={t("approve")} title={t("approveTitle", what)} act={decide(approval, "approve")}>
        {reason}
      </Decision>
      <Decision
        isSmall
        isDangerous
        label={approval.is_own ? t("withdraw") : t("reject")}
        title={approval.is_own ? t("withdrawTitle", what) : t("rejectTitle", what)}
        act={decide(approval, "reject")}
      >
        {reason}
      </Decision>
    </Group>
  );
}
