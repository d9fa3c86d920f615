/** The messages of the workflow `approval`. Types and pure functions only, for the workflow. */

/** What an agent asked for: the call, and where it may be approved. */
export interface AskedCall {
  operation: string;
  summary: string;
  page_key: string | null;
  /** Null where the user may use all. */
  warehouse_ids: number[] | null;
  request: CallArguments;
  request_hash: string;
  idempotency_key: string;
}

/** The arguments of an operation. */
export interface CallArguments {
  path?: Record<string, string | number>;
  query?: Record<string, string | number | boolean>;
  body?: unknown;
}

export type ApprovalStatus = "WAITING" | "APPROVED" | "REJECTED" | "EXPIRED" | "DONE" | "FAILED";

/** An approval as its workflow needs it, by its row. */
export interface ApprovalState {
  approval_id: number;
  operation: string;
  agent: string;
  username: string;
  status: ApprovalStatus;
  /** The warehouse that the request names; null where it names none. */
  warehouse_id: number | null;
  warehouse_code: string | null;
  /** Until it expires. */
  expires_ms: number;
  decided_by: string | null;
  reason: string | null;
  http_status: number | null;
  /** In which order states were read. */
  as_of: string;
}

/** What a person decides. */
export interface ApprovalDecision {
  approved: boolean;
  reason?: string | null | undefined;
}

/** What came of the operation. */
export interface CallAnswer {
  status: number;
  answer: unknown;
}

/** @param key The `external_id` of its row. */
export const approvalWorkflowId = (key: string) => `approval-${key}`;

/** The activity that runs what was approved; workers have it, as it needs all operations. */
export interface PerformActivities {
  performApproved(key: string): Promise<ApprovalState>;
}
