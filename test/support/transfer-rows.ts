import { randomInt } from "node:crypto";
import type * as transfers from "../../activities/transfers/index.js";
import type { OpenApproval, TransferState, WithState } from "../../src/transfers/steps.js";
import { WaveRows } from "./wave-rows.js";

/** A transfer order of one line of five units, as its workflow's activities would find it. */
export class TransferRows {
  #held: Promise<void> | undefined;
  #clock = 0;
  state!: TransferState;
  /** Which activities were asked. */
  readonly asked: string[] = [];
  /** The command ids of those who looked for overdue approvals. */
  readonly lookIds: string[] = [];
  /** What steps are refused with. */
  refuse: Error | undefined;
  /** What the rows say to one who looks for overdue approvals, after the first time: when the next look is due. */
  remindMs: number | null = null;
  /** The batch that picks it. */
  readonly wave = new WaveRows();
  /** The batches that beginning to pick releases. */
  superseded: number[] = [];

  constructor() {
    this.renew();
  }

  /** Another transfer order with the same doubles. */
  renew(): void {
    const to_id = randomInt(2 ** 40);
    this.asked.length = 0;
    this.refuse = undefined;
    this.wave.renew();
    this.wave.plan.so_numbers = [];
    const names = { source_warehouse_code: "MAIN", destination_warehouse_code: "SHOP" };
    this.wave.plan.transfer = { to_id, to_number: `TO-${to_id}`, ...names };
    this.state = {
      ...this.wave.plan.transfer,
      ...{ status: "OPEN", source_warehouse_id: 1, destination_warehouse_id: 2, created_by: "ann" },
      ...{ started_at: "2026-11-23T09:00:00Z", lines_total: 1, lines_done: 0 },
      ...{ units_committed: 5, units_picked: 0, units_approved: 0 },
      ...{ picking: null, approvals: [], reminder_ms: null, as_of: "" },
    };
  }

  get id(): number {
    return this.state.to_id;
  }

  /** Keeps steps under way until what it gives is called. */
  hold(): () => void {
    let go = () => {};
    this.#held = new Promise((resolve) => {
      go = resolve;
    });
    return go;
  }

  /** What its batch does when it is completed: the rows change, and the workflow may be told. */
  picked(): void {
    this.#change({ units_picked: 5, picking: null, status: "AWAITING_APPROVAL" });
    this.#submitted();
  }

  readonly doubles: typeof transfers & typeof this.wave.doubles = {
    ...this.wave.doubles,
    beginTransfer: async () => {
      this.asked.push("create");
      return this.#now();
    },
    resumeTransfer: async () => {
      this.asked.push("resume");
      return this.#now();
    },
    startTransferPicking: async (_, by) => {
      await this.#asks("start picking");
      const { batch_id, batch_number } = this.wave.plan;
      this.#change({ picking: { batch_id, batch_number, assigned_to: by.username }, status: "PARTIALLY_PICKED" });
      return this.#answer({ batch_id, batch_number, tasks_created: 1, superseded: this.superseded });
    },
    submitTransfer: async () => {
      await this.#asks("submit");
      const { to_approval_id } = this.#submitted();
      return this.#answer({ to_approval_id, status: "PENDING", to_status: this.state.status, line_count: 1 });
    },
    approveTransfer: async ({ to_approval_id }) => {
      await this.#asks("approve");
      this.#change({ approvals: this.#without(to_approval_id), units_approved: 5, status: "CLOSED", lines_done: 1 });
      return this.#answer({ to_approval_id, status: "APPROVED", to_closed: true, line_count: 1 });
    },
    rejectTransfer: async ({ to_approval_id }) => {
      await this.#asks("reject");
      this.#change({ approvals: this.#without(to_approval_id) });
      return this.#answer({ to_approval_id, status: "REJECTED" });
    },
    shortCloseLine: async ({ to_line_id }) => {
      await this.#asks("short close");
      this.#change({ status: "CLOSED", lines_done: 1, picking: null });
      return this.#answer({ to_line_id, status: "SHORT_CLOSED", released_qty: 5 });
    },
    cancelTransfer: async (to_id) => {
      await this.#asks("cancel");
      this.#change({ status: "CANCELLED", picking: null });
      return this.#answer({ to_id, status: "CANCELLED" });
    },
    deleteTransfer: async (to_id) => {
      await this.#asks("delete");
      return { to_id };
    },
    cancelTransferByOperator: async () => {
      await this.#asks("cancel by operator");
      if (this.state.units_approved > 0) return this.#answer({ refused: "some of it has arrived" });
      if (this.state.status !== "CLOSED") this.#change({ status: "CANCELLED", picking: null });
      return this.#answer({ refused: null });
    },
    remindOfApproval: async (_, commandId) => {
      this.lookIds.push(commandId);
      this.#change({ reminder_ms: this.remindMs });
      return this.#answer({ reminded: this.state.approvals.length });
    },
  };

  #now(): TransferState {
    return { ...this.state, as_of: String(++this.#clock).padStart(9, "0") };
  }

  #answer<T>(answer: T): WithState<T> {
    return { ...answer, state: this.#now() };
  }

  #change(change: Partial<TransferState>): void {
    this.state = { ...this.state, ...change };
  }

  #submitted(): OpenApproval {
    const { approvals, units_picked } = this.state;
    const to_approval_id = 7 + approvals.length;
    const made = { to_approval_id, submitted_by: "ann", submitted_at: "2026-11-23T10:00:00Z", units: units_picked };
    this.#change({ approvals: [...approvals, made] });
    return made;
  }

  #without(id: number): OpenApproval[] {
    return this.state.approvals.filter(({ to_approval_id }) => to_approval_id !== id);
  }

  async #asks(step: string): Promise<void> {
    this.asked.push(step);
    await this.#held;
    if (this.refuse) throw this.refuse;
  }
}
