import { randomInt } from "node:crypto";
import type * as inspections from "../../activities/lots/index.js";
import { InspectionHasFewer } from "../../src/lots/inspections/problems.js";
import type { InspectionState } from "../../src/lots/inspections/workflow.js";

/** An inspection of three mugs, as its workflow's activities would find it. */
export class InspectionRows {
  readonly inspection_id = randomInt(2 ** 40);
  open = 3;
  decided: string[] = [];
  /** Until the next reminder, and until the deadline. */
  reminder_ms: number | null = null;
  deadline_ms: number | null = null;
  /** Which activities were asked. */
  readonly asked: string[] = [];
  /** What reading its rows is refused with. */
  refuse: Error | undefined;
  #read = 0;

  get state(): InspectionState {
    const { inspection_id, open, decided, reminder_ms, deadline_ms } = this;
    return {
      ...{ inspection_id, open, decided, reminder_ms, deadline_ms, closed: open === 0 },
      ...{ sku: "MUG", lot_number: null, warehouse_id: 1, warehouse_code: "MAIN" },
      ...{ opened_by: "ann", reason: "seal broken", as_of: String(++this.#read).padStart(6, "0") },
    };
  }

  readonly doubles = {
    resumeInspection: async () => {
      this.asked.push("resume");
      if (this.refuse) throw this.refuse;
      return this.state;
    },
    decideInspection: async (_: number, { decision, quantity }, by) => {
      this.asked.push("decide");
      const units = quantity ?? this.open;
      if (units > this.open) throw InspectionHasFewer({ inspection_id: this.inspection_id, open: this.open });
      this.open -= units;
      this.decided.push(`${decision}: ${units} by ${by.username}`);
      return { inspection: {}, state: this.state } as Awaited<ReturnType<typeof inspections.decideInspection>>;
    },
    remindOfInspection: async () => {
      this.asked.push("remind");
      const overdue = this.deadline_ms !== null;
      const reminded = this.reminder_ms !== null && !overdue;
      this.reminder_ms = null;
      this.deadline_ms = null;
      return { reminded, overdue, state: this.state };
    },
  } satisfies Partial<typeof inspections>;
}
