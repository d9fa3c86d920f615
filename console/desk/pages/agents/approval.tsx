import { useParams } from "react-router";
import { useRead } from "../../../shared/api.js";
import { time } from "../../../shared/format.js";
import { t } from "../../../texts/agents.js";
import { Facts, Section } from "../../components/facts.js";
import { Json } from "../../components/json.js";
import { Page } from "../../components/page.js";
import { person } from "../../components/person.js";
import { Loaded } from "../../components/states.js";
import { Status } from "../../components/status.js";
import { WorkflowLink } from "../../components/workflow-link.js";
import { DecideAgentCall } from "./decide.js";

/** One call that an agent asked for: with what, who decided, and what came of it. */
export default function ApprovalPage() {
  const approval_id = Number(useParams().approval_id);
  return (
    <Loaded of={useRead("/api/admin/agent-approvals/{approval_id}", { path: { approval_id } })}>
      {(approval) => (
        <Page
          title={t("approvalOf", { operation: approval.operation, agent: approval.agent })}
          mark={<Status of={approval.status} />}
          actions={
            <>
              <WorkflowLink id={`approval-${approval.external_id}`} />
              {approval.status === "WAITING" && <DecideAgentCall approval={approval} />}
            </>
          }
        >
          <Section title={t("does")}>
            <Facts
              of={[
                [t("does"), approval.summary],
                [t("agent"), approval.agent],
                [t("askedBy"), person(approval.asked_by)],
                [t("askedAt"), time(approval.asked_at)],
                [t("expires"), time(approval.expires_at)],
                [t("decidedBy"), person(approval.decided_by)],
                [t("decidedAt"), time(approval.decided_at)],
                [t("reason"), approval.reason],
                [t("ended"), time(approval.ended_at)],
                [t("answerStatus"), approval.http_status],
                [t("key"), approval.idempotency_key],
              ]}
            />
          </Section>
          <Section title={t("request")}>
            <Json title={t("request")} of={approval.request} />
          </Section>
          {approval.answer !== null && (
            <Section title={t("answer")}>
              <Json title={t("answer")} of={approval.answer as object} />
            </Section>
          )}
        </Page>
      )}
    </Loaded>
  );
}
