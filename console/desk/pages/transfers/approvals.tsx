import { Group, List, Textarea } from "@mantine/core";
import type { TransferApproval } from "../../../../client/src/index.js";
import { number, time } from "../../../shared/format.js";
import { t } from "../../../texts/transfers.js";
import { Choices, chosenOf } from "../../components/choices.js";
import { Decision } from "../../components/decision.js";
import { person } from "../../components/person.js";
import { TableSection } from "../../components/table.js";
import { typed } from "../../values.js";

/** What was submitted for approval, and what was decided. */
export const Approvals = ({ to_id, approvals }: { to_id: number; approvals: TransferApproval[] }) => (
  <TableSection
    title={t("approvals")}
    empty={t("noApprovals")}
    rows={approvals}
    columns={[
      { field: "submitted_at", title: t("submitted"), as: "time" },
      { field: "submitted_by", title: t("picker"), as: "person" },
      { field: "lines", title: t("picked"), show: Picked },
      { field: "status", title: t("status"), as: "status" },
      { field: "by", title: t("by"), show: ({ approved_by, rejected_by }) => person(approved_by ?? rejected_by) },
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
);

/** What was picked, bin by bin. */
const Picked = ({ lines }: TransferApproval) => (
  <List size="sm" listStyleType="none">
    {lines.map(({ to_line_id, quantity, sku, bin_code, lot_number }) => (
      <List.Item key={`${to_line_id} ${bin_code} ${lot_number}`}>
        {t("pickedAt", { quantity: number(quantity), sku, bin: bin_code })}
        {lot_number && ` · ${lot_number}`}
      </List.Item>
    ))}
  </List>
);

/** Its lines as they can be chosen: the units of each over all bins. */
function linesOf({ lines }: TransferApproval): Record<string, string> {
  const units = new Map<number, { sku: string; quantity: number }>();
  for (const { to_line_id, sku, quantity } of lines)
    units.set(to_line_id, { sku, quantity: quantity + (units.get(to_line_id)?.quantity ?? 0) });
  return Object.fromEntries([...units].map(([id, { sku, quantity }]) => [id, `${number(quantity)} × ${sku}`]));
}

/** Approves what was picked, or some lines of it, or rejects it. */
export function Decide({ to_id, approval }: { to_id: number; approval: TransferApproval }) {
  const { to_approval_id, status, submitted_by: name } = approval;
  if (status !== "PENDING") return null;
  const path = { to_id, to_approval_id };
  const base = "/api/admin/transfer-orders/{to_id}/approvals/{to_approval_id}";
  const lines = linesOf(approval);
  const all = Object.keys(lines);
  return (
    <Group gap="xs" justify="end" wrap="nowrap">
      <Decision
        label={t("approve")}
        title={t("approveTitle", { name })}
        act={(values, api) => {
          const chosen = chosenOf(values, "line");
          const body = chosen.length < all.length && all.length > 1 ? { to_line_ids: chosen.map(Number) } : {};
          return api.post(`${base}/approve`, { path, body });
        }}
        isSmall
      >
        {all.length > 1 && <Choices name="line" label={t("linesToApprove")} choices={lines} chosen={all} />}
      </Decision>
      <Decision
        label={t("reject")}
        title={t("rejectTitle", { name })}
        act={({ reason }, api) => api.post(`${base}/reject`, { path, body: { rejection_reason: typed(reason) } })}
        isDangerous
        isSmall
      >
        <Textarea name="reason" label={t("reason")} maxLength={1000} autosize data-autofocus />
      </Decision>
    </Group>
  );
}
