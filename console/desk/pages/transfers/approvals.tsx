import { Group, Textarea } from "@mantine/core";
import type { TransferApproval } from "../../../../client/src/index.js";
import { api } from "../../../shared/api.js";
import { time } from "../../../shared/format.js";
import { t } from "../../../texts/transfers.js";
import { Decision } from "../../components/decision.js";
import { Section } from "../../components/facts.js";
import { Empty } from "../../components/states.js";
import { Status } from "../../components/status.js";
import { DataTable } from "../../components/table.js";
import { typed } from "../../values.js";

/** What was submitted for approval, and what was decided. */
export const Approvals = ({ to_id, approvals }: { to_id: number; approvals: TransferApproval[] }) => (
  <Section title={t("approvals")}>
    {approvals.length === 0 ? (
      <Empty title={t("noApprovals")} />
    ) : (
      <DataTable
        title={t("approvals")}
        rows={approvals}
        columns={[
          { field: "submitted_at", title: t("submitted"), show: ({ submitted_at }) => time(submitted_at) },
          { field: "submitted_by", title: t("picker") },
          { field: "status", title: t("status"), show: ({ status }) => <Status of={status} /> },
          { field: "by", title: t("by"), show: ({ approved_by, rejected_by }) => approved_by ?? rejected_by },
          {
            field: "decided",
            title: t("decided"),
            show: ({ approved_at, rejected_at }) => time(approved_at ?? rejected_at),
          },
          { field: "rejection_reason", title: t("reason") },
          {
            field: "actions",
            title: t("actions"),
            right: true,
            show: (approval) => <Decide to_id={to_id} approval={approval} />,
          },
        ]}
      />
    )}
  </Section>
);

function Decide({ to_id, approval }: { to_id: number; approval: TransferApproval }) {
  const { to_approval_id, status, submitted_by: name } = approval;
  if (status !== "PENDING") return null;
  const path = { to_id, to_approval_id };
  const base = "/api/admin/transfer-orders/{to_id}/approvals/{to_approval_id}";
  return (
    <Group gap="xs" justify="end" wrap="nowrap">
      <Decision
        label={t("approve")}
        title={t("approveTitle", { name })}
        act={(_, idempotencyKey) => api.post(`${base}/approve`, { path, idempotencyKey })}
        isSmall
      />
      <Decision
        label={t("reject")}
        title={t("rejectTitle", { name })}
        act={({ reason }, idempotencyKey) =>
          api.post(`${base}/reject`, { path, body: { rejection_reason: typed(reason) }, idempotencyKey })
        }
        isDangerous
        isSmall
      >
        <Textarea name="reason" label={t("reason")} maxLength={1000} autosize data-autofocus />
      </Decision>
    </Group>
  );
}
