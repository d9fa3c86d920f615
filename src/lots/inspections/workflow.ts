/** The messages of the workflow `inspection`. Types and pure functions only, for the workflow. */

/** An inspection as its workflow needs it, by its rows. */
export interface InspectionState {
  inspection_id: number;
  sku: string;
  lot_number: string | null;
  /** Null where it is of a lot, in all warehouses. */
  warehouse_id: number | null;
  warehouse_code: string | null;
  opened_by: string;
  reason: string;
  /** Units still to be decided about. */
  open: number;
  /** Those that were decided about, as the Temporal UI lists them: "8 released by rita". */
  decided: string[];
  /** When it has ended, by its rows. */
  closed: boolean;
  /** Until the next reminder, and until the deadline; null = never, or told already. */
  reminder_ms: number | null;
  deadline_ms: number | null;
  /** In which order states were read. */
  as_of: string;
}

/** What a look at the clock found. */
export interface InspectionLook {
  reminded: boolean;
  overdue: boolean;
  state: InspectionState;
}

export const inspectionWorkflowId = (inspectionId: number) => `inspection-${inspectionId}`;
