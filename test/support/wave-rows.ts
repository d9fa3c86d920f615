import { randomInt } from "node:crypto";
import type * as picking from "../../activities/picking/index.js";
import { BatchNotActive } from "../../src/picking/problems.js";
import type { WaveRequest, WaveStarted } from "../../src/picking/wave.js";

type Looked = Awaited<ReturnType<typeof picking.releaseIfIdle>>;

/** A wave of one pick, as its workflow's activities would find it. */
export class WaveRows {
  #held: Promise<void> | undefined;
  status = "active";
  request!: WaveRequest;
  plan!: WaveStarted;
  /** Which activities were asked. */
  readonly asked: string[] = [];
  /** What steps are refused with. */
  refuse: Error | undefined;
  /** What the rows say to one who asks whether the wave is idle; the last one always. */
  looks: Looked[] = [];
  /** The command ids of those who asked. */
  readonly lookIds: string[] = [];

  constructor(
    readonly idleMs: number | null = null,
    readonly shorts = 0,
  ) {
    this.renew();
  }

  /** Another wave with the same doubles. */
  renew(): void {
    const batchId = randomInt(2 ** 40);
    this.status = "active";
    this.asked.length = 0;
    this.refuse = undefined;
    this.request = { batchId, warehouseId: 1, soIds: [1], excludeSoIds: [], combine: true };
    this.plan = {
      ...{ batch_id: batchId, batch_number: "WAVE-1", warehouse_id: 1, warehouse_code: "MAIN", picker: "ann" },
      ...{ total_picks: 1, total_units: 2, so_numbers: ["SO-1"] },
      ...{ superseded: [], idle_ms: this.idleMs },
    };
  }

  /** Keeps steps under way until what it gives is called. */
  hold(): () => void {
    let go = () => {};
    this.#held = new Promise((resolve) => {
      go = resolve;
    });
    return go;
  }

  readonly doubles: typeof picking = {
    createWave: async () => {
      this.asked.push("create");
      return this.plan;
    },
    resumeWave: async () => {
      this.asked.push("resume");
      if (this.status !== "active") throw BatchNotActive({}, { status: this.status });
      return { ...this.plan, superseded: [] };
    },
    completeWave: async (batch_id) => {
      await this.#end("complete", "completed");
      const summary = { total_orders: 1, total_items_picked: 2 };
      return {
        ...{ message: "Completed", batch_id, batch_number: "WAVE-1" },
        summary: { ...summary, total_shorts: this.shorts, orders: [] },
      };
    },
    cancelWave: async () => {
      await this.#end("cancel", "cancelled");
      return { message: "Cancelled" };
    },
    giveBack: async () => {
      await this.#end("give back", "given back");
      return { message: "Given back" };
    },
    cancelByOperator: async () => {
      this.asked.push("cancel by operator");
      if (this.status === "active") this.status = "cancelled";
      return { ended: this.status as "cancelled" | "completed" };
    },
    releaseIfIdle: async (_, commandId) => {
      this.lookIds.push(commandId);
      const [look] = this.looks.length > 1 ? this.looks.splice(0, 1) : this.looks;
      return look as Looked;
    },
  };

  /** Ends the wave once, unless it is refused. */
  async #end(step: string, as: string): Promise<void> {
    this.asked.push(step);
    await this.#held;
    if (this.refuse) throw this.refuse;
    if (this.status !== "active") throw BatchNotActive({}, { status: this.status });
    this.status = as;
  }
}
