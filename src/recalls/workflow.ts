/** The messages of the workflow `recall`. Types and pure functions only, for the workflow. */

export interface RecallRequest {
  lot_ids?: number[];
  /** The item of the serials. */
  item_id?: number;
  serial_numbers?: string[];
  reason: string;
}

/** A recall as its workflow needs it, by its rows. */
export interface RecallState {
  recall_id: number;
  reason: string;
  opened_by: string;
  /** Its lots and serials, as the Temporal UI names them: "MUG, lot L-7". */
  lots: string[];
  /** The lots that are not held yet. */
  to_hold: number[];
  units: UnitsByState;
  /** How many bins have units to count and no open count. */
  uncounted_bins: number;
  closed_by: string | null;
  /** In which order states were read. */
  as_of: string;
}

/** Where the units of a recall are; each unit is in one of these. */
export interface UnitsByState {
  known: number;
  to_count: number;
  found: number;
  returned: number;
  picked: number;
  to_tell: number;
  told: number;
  destroyed: number;
  adjusted_out: number;
}

/** Counts that were made, and whether bins are left for the next step. */
export interface CountsMade {
  counts: { count_id: number; bin_code: string }[];
  more: boolean;
}

export const recallWorkflowId = (recallId: number) => `recall-${recallId}`;

/** The units that nobody has accounted for. */
export const openUnits = ({ to_count, picked, to_tell }: UnitsByState): number => to_count + picked + to_tell;
