import { randomInt } from "node:crypto";
import type * as recalls from "../../activities/recalls/index.js";
import { LotNotFound } from "../../src/lots/problems.js";
import { RecallUnitsOpen } from "../../src/recalls/problems.js";
import { openUnits, type RecallState, type UnitsByState } from "../../src/recalls/workflow.js";

const NOWHERE: UnitsByState = {
  ...{ known: 0, to_count: 0, found: 0, returned: 0, picked: 0 },
  ...{ to_tell: 0, told: 0, destroyed: 0, adjusted_out: 0 },
};

/** A recall of two lots, as its activities would find it: two units lie in a bin, one is with a customer. */
export class RecallRows {
  readonly recall_id = randomInt(2 ** 40);
  toHold = [7, 8];
  units: UnitsByState = { ...NOWHERE, known: 3, to_count: 2, to_tell: 1 };
  /** The parts in which bins are still to be counted: each is the work of one step. */
  binsToCount: number[] = [];
  closedBy: string | null = null;
  /** Which activities were asked. */
  readonly asked: string[] = [];
  /** What opening answers, where that is not this recall. */
  made: RecallState | undefined;
  /** Whether one of its lots is unknown. */
  unknown = false;
  #read = 0;
  #counts = 0;

  get state(): RecallState {
    return {
      ...{ recall_id: this.recall_id, reason: "glass", opened_by: "ann", lots: ["MUG, lot L-7", "MUG, lot L-8"] },
      ...{ to_hold: [...this.toHold], units: { ...this.units }, closed_by: this.closedBy },
      ...{ uncounted_bins: this.binsToCount.length, as_of: String(++this.#read).padStart(6, "0") },
    };
  }

  #close(by: string): RecallState {
    if (openUnits(this.units) === 0) this.closedBy = by;
    return this.state;
  }

  readonly doubles = {
    openRecall: async () => {
      this.asked.push("open");
      if (this.unknown) throw LotNotFound();
      return this.made ?? this.state;
    },
    resumeRecall: async () => {
      this.asked.push("resume");
      return this.state;
    },
    holdRecalledLot: async (_: number, lotId: number) => {
      this.asked.push(`hold ${lotId}`);
      this.toHold = this.toHold.filter((lot) => lot !== lotId);
      return this.state;
    },
    countRecalledBins: async () => {
      this.asked.push("count");
      const counts = Array.from({ length: this.binsToCount.shift() ?? 0 }, () => ({
        count_id: this.recall_id + ++this.#counts,
        bin_code: `A-${this.#counts}`,
      }));
      return { counts, more: this.binsToCount.length > 0 };
    },
    markTold: async () => {
      this.asked.push("tell");
      this.units = { ...this.units, told: this.units.told + this.units.to_tell, to_tell: 0 };
      return this.state;
    },
    destroyRecalled: async (_: number, { quantity = 0 }) => {
      this.asked.push("destroy");
      const { to_count, destroyed } = this.units;
      this.units = { ...this.units, to_count: to_count - quantity, destroyed: destroyed + quantity };
      return this.state;
    },
    closeRecall: async (_: number, _closing, by) => {
      this.asked.push("close");
      const { to_count, picked, to_tell } = this.units;
      const open = openUnits(this.units);
      if (open > 0) throw RecallUnitsOpen({ open, to_count, picked, to_tell });
      return this.#close(by.username);
    },
    closeByOperator: async () => {
      this.asked.push("close by operator");
      return this.#close("system");
    },
  } satisfies Partial<typeof recalls>;
}
