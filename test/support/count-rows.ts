import { randomInt } from "node:crypto";
import type * as cycleCounts from "../../activities/counting/index.js";
import { CountNotOpen, CountNotSubmitted } from "../../src/counting/problems.js";
import type { CountCreated } from "../../src/counting/shapes.js";
import type { CountReviewed, CountsOfWarehouse } from "../../src/counting/workflow.js";

/**
 * The counts of so many bins, as their workflows' activities would find them. The adjustments of the first are 1, 2, …
 */
export class CountRows {
  #status: "PENDING" | "VARIANCE" | "COMPLETED" = "PENDING";
  #pending: number[] = [];
  #approved = 0;
  ids: number[] = [];
  /** What making them answers. */
  made: CountsOfWarehouse = { warehouse_id: 1, warehouse_code: "MAIN", counts: [] };
  /** Which activities were asked at the beginning. */
  readonly asked: string[] = [];
  /** What steps are refused with. */
  refuse: Error | undefined;

  constructor(readonly bins = 1) {
    this.renew();
  }

  /** Other counts with the same doubles. */
  renew(): void {
    this.#status = "PENDING";
    this.#pending = [];
    this.#approved = 0;
    this.ids = Array.from({ length: this.bins }, () => randomInt(2 ** 40));
    const counts = this.ids.map(
      (count_id, i): CountCreated => ({
        ...{ count_id, bin_id: i + 1, bin_code: `A-${i + 1}`, lines: 2 },
        ...{ status: "PENDING", assigned_to: "ann" },
      }),
    );
    this.made = { warehouse_id: 1, warehouse_code: "MAIN", counts };
  }

  readonly doubles: typeof cycleCounts = {
    createCounts: async () => {
      this.asked.push("create");
      return this.made;
    },
    resumeCount: async (count_id) => {
      this.asked.push(`resume ${count_id}`);
      const { counts, ...where } = this.made;
      return { ...where, counts: counts.filter((count) => count.count_id === count_id) };
    },
    submitCount: async ({ count_id, lines }) => {
      if (this.refuse) throw this.refuse;
      if (this.#status !== "PENDING") throw CountNotOpen({ status: this.#status });
      this.#pending = lines.map((_, i) => i + 1);
      const differing = this.#pending.length;
      const status = differing > 0 ? "VARIANCE" : "COMPLETED";
      this.#status = status;
      return {
        ...{ message: "", count_id, bin_code: "A-1", status },
        summary: { total_lines: 2, lines_with_variance: differing, lines_matched: 2 - differing, adjustments: [] },
      };
    },
    cancelCount: async (count_id) => {
      this.asked.push(`cancel ${count_id}`);
      this.#status = "COMPLETED";
      return { ended: "cancelled" };
    },
    approveCount: ({ adjustment_ids }) => this.#review(adjustment_ids, true),
    rejectCount: ({ adjustment_ids }) => this.#review(adjustment_ids, false),
  };

  /** An admin's decision; without ids on all that is pending. */
  async #review(adjustment_ids: number[] | undefined, approves: boolean): Promise<CountReviewed> {
    if (this.refuse) throw this.refuse;
    if (this.#status !== "VARIANCE") throw CountNotSubmitted({ status: this.#status });
    const left = this.#pending.filter((id) => adjustment_ids && !adjustment_ids.includes(id));
    const resolved = this.#pending.length - left.length;
    this.#pending = left;
    if (approves) this.#approved += resolved;
    if (left.length === 0) this.#status = "COMPLETED";
    return { resolved, pending: left.length, approved: this.#approved };
  }
}
