import type { SearchAttributePair } from "@temporalio/common";
import type { Attempted } from "../outbound/retry.js";
import type { LabelPurchaseStatus } from "../platform/states.js";
import { SoNumbers, type StageValue, warehouseAttributes } from "../platform/temporal/search-attributes.js";

/** The workflow `labelPurchase` and its messages. Types and pure functions only, for the workflow. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long to wait after each attempt that failed: a day in all, mostly every hour. */
const LABEL_DELAYS_MS = [
  ...[2 * SECOND, 10 * SECOND, 30 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE],
  ...Array.from({ length: 23 }, () => HOUR),
] as const;
export const LABEL_ATTEMPTS = LABEL_DELAYS_MS.length + 1;

/** The wait after so many attempts. */
export const labelDelay = (attempts: number): number => LABEL_DELAYS_MS[attempts - 1] ?? HOUR;

/** Which purchase of which parcel it is. */
export interface OfParcel {
  parcel_id: number;
  purchase_number: number;
}

export const labelWorkflowId = ({ parcel_id, purchase_number }: OfParcel): string =>
  `label-purchase-${parcel_id}${purchase_number > 1 ? `-${purchase_number}` : ""}`;

/** How the workflow of a purchase is started; without words for it, from its row. */
export const startOfLabel = (
  purchaseId: number,
  of: OfParcel,
  staticSummary = `Label ${purchaseId}, from its row`,
) => ({
  workflowId: labelWorkflowId(of),
  args: [purchaseId] as [number],
  staticSummary,
});

/** What people call a label: `label of SO-1, parcel 2`. */
export const nameOfLabel = ({ so_number, parcel_number }: { so_number: string; parcel_number: number }): string =>
  `label of ${so_number}, parcel ${parcel_number}`;

/** What the workflow shows of a purchase; null for one that is gone. */
export interface LabelSummary {
  what: string;
  so_number: string | null;
  warehouse_id: number | null;
  warehouse_code: string | null;
  attempts: number;
  /** Whether the carrier is to take it back. */
  takes_back?: boolean;
}

/** A first attempt that takes longer goes on where the Temporal UI shows it. */
export const SHOWN_AFTER_MS = 4 * SECOND;

/** The timeout of workflow tasks, in the first of which that attempt is made: a killed worker is missed after that. */
export const LABEL_TASK_TIMEOUT = "10s";

/** The stage of its first attempt. */
export const LABEL_STAGE: StageValue = "buying a label";

/** The search attributes of a purchase. */
export const labelAttributes = ({
  so_number,
  ...of
}: Omit<LabelSummary, "what" | "attempts" | "takes_back">): SearchAttributePair[] => [
  ...warehouseAttributes(of),
  ...(so_number === null ? [] : [{ key: SoNumbers, value: [so_number] }]),
];

/** How it ended: as its row says, or it is gone, with its parcel. */
export type LabelEnded =
  | Exclude<LabelPurchaseStatus, "pending" | "voiding" | "cancelled" | "written_off">
  | "withdrawn"
  | "gone";

/** What came of an attempt. */
export interface LabelAttempted extends Attempted<LabelEnded> {
  /** What failed, or what the carrier said, for people. */
  why: string | null;
  /** Whether the carrier is to take it back, if that is not over. */
  takes_back?: boolean;
}

export interface LabelGivenUp {
  ended: LabelEnded | "cancelled";
  why: string | null;
}

export interface LabelActivities {
  /**
   * Makes the first attempt within a few seconds; null where it takes longer. It goes on then, and `attemptLabel`
   * answers for it.
   */
  beginLabel(purchaseId: number): Promise<LabelAttempted | null>;
  /** Makes the next attempt if it is due, else says when it will be. */
  attemptLabel(purchaseId: number): Promise<LabelAttempted>;
}
