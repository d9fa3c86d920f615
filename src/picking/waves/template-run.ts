/** The messages of the workflow `waveRelease`. Types only, for the workflow. */

/** What its schedule starts it with. */
export interface TemplateStart {
  template_id: number;
  template_name: string;
  warehouse_code: string;
}

/** What a run released before its cut-off. */
export type ReleasedBefore = Pick<ScheduledRun, "batches" | "orders">;

/** What a release did. */
export interface ScheduledRun {
  warehouse_id: number;
  /** So long after the first release there is a second one; null: none. */
  cut_off_minutes: number | null;
  batches: number;
  orders: number;
  /** Orders that there was not enough stock for. */
  short: number;
}

/** Why a run released nothing. */
export interface NotReleased {
  not_released: "deleted" | "paused" | "warehouse_inactive";
}
