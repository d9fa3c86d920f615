import { z } from "zod";
import * as field from "../platform/fields/index.js";
import { AnyText, ExternalId, Text, Time } from "../platform/fields.js";
import { list } from "../platform/list.js";

/** What agents ask for, and people approve: docs/agents.md. */

const ApprovalStatus = z
  .enum(["WAITING", "APPROVED", "REJECTED", "EXPIRED", "DONE", "FAILED"])
  .describe(
    "WAITING for a person; APPROVED, and about to run; REJECTED by a person; EXPIRED, as nobody decided; " +
      "DONE, it ran; FAILED, it was refused as it ran.",
  );

export const ApprovalParams = z.strictObject({ approval_id: field.ApprovalIdParam });

export const AgentApproval = z
  .strictObject({
    approval_id: field.ApprovalId,
    external_id: ExternalId,
    agent: AnyText("stock-helper 1.2.0").describe("Name and version of the program that asked, as it gives them."),
    asked_by: AnyText("ann").describe("The user that the program works for."),
    operation: AnyText("adjustStock").describe("The operation that is to run: its `operationId`."),
    summary: AnyText("Corrects the stock of an item in a bin").describe("What the operation does."),
    status: ApprovalStatus,
    asked_at: Time.describe("When it was asked for."),
    expires_at: Time.describe("Until when somebody may approve it."),
    decided_by: AnyText("rita").nullable().describe("Who decided; null before that."),
    decided_at: Time.nullable().describe("When that was."),
    reason: AnyText("counted twice").nullable().describe("Why, in the words of whoever decided."),
    ended_at: Time.nullable().describe("When there was nothing left to do."),
    http_status: z
      .int()
      .nullable()
      .meta({ description: "The HTTP status that the operation answered with.", examples: [200] }),
    is_own: z.boolean().describe("Whether the program that asked works for the caller."),
  })
  .meta({ id: "AgentApproval", description: "Something that an agent asked for, which a person approves." });
export type AgentApproval = z.infer<typeof AgentApproval>;

export const AgentApprovalDetail = AgentApproval.extend({
  request: z
    .record(z.string(), z.unknown())
    .describe("What the operation is called with: `path`, `query` and `body`, as far as it has them."),
  idempotency_key: AnyText("count-17").describe("The key under which it runs, once."),
  answer: z.unknown().describe("What the operation answered; null before that, and where that was too large."),
}).meta({ id: "AgentApprovalDetail", description: "The same with the request and what came of it." });
export type AgentApprovalDetail = z.infer<typeof AgentApprovalDetail>;

export const AgentCallDecided = z
  .strictObject({
    approval_id: field.ApprovalId,
    status: ApprovalStatus,
    decided_by: AnyText("rita").nullable().describe("Who decided."),
    reason: AnyText("counted twice").nullable().describe("Why, in the words of whoever decided."),
  })
  .meta({ id: "AgentCallDecided", description: "What was decided about something that an agent asked for." });

export const approvalList = list("a.approval_id", ...["approval_id", "asked_at", "expires_at", "status", "operation"]);

export const ApprovalFilters = z.object({
  ...approvalList.parameters,
  status: ApprovalStatus.optional(),
});
export type ApprovalFilters = z.infer<typeof ApprovalFilters>;

export const ApprovalReason = z.strictObject({
  reason: Text(500, "counted twice").nullish().describe("Why, in the words of the user."),
});
