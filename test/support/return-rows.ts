import { randomInt } from "node:crypto";
import type * as returns from "../../activities/returns/index.js";
import { OverReturnReceipt, ReturnNotOpen, VoidHasReceipts } from "../../src/returns/problems.js";
import type { OperatorVoid, ReturnStarted } from "../../src/returns/workflow.js";

/** A return of three mugs, as its workflow's activities would find it. */
export class ReturnRows {
  readonly so_id = randomInt(2 ** 40);
  received = 0;
  voided = false;
  /** Whether nobody has touched it for 30 days. */
  overdue = false;
  /** Which activities were asked. */
  readonly asked: string[] = [];
  /** What making it answers, where that is not this return. */
  made: ReturnStarted | undefined;
  /** What steps are refused with. */
  refuse: Error | undefined;

  constructor(public ordered = 3) {}

  get #expected() {
    const units = this.ordered - this.received;
    return { units, first: units > 0 ? [{ sku: "MUG", units }] : [] };
  }

  get state(): ReturnStarted {
    return {
      ...{ so_id: this.so_id, so_number: "SO-1-RMA", original_so_number: "SO-1", made_by: "ann" },
      ...{ warehouse_id: 1, warehouse_code: "MAIN", received: this.received, expected: this.#expected },
      ...(this.voided ? { ended: "voided" } : this.received === this.ordered && { ended: "received" }),
    };
  }

  /** What a request to cancel finds. */
  #byOperator(): OperatorVoid {
    if (this.voided) return { ended: "voided", by_operator: false };
    if (this.received > 0) return { ended: null, because: "Goods of return SO-1-RMA have come: it is not voided" };
    this.voided = true;
    return { ended: "voided", by_operator: true };
  }

  readonly doubles: typeof returns = {
    createReturn: async () => {
      this.asked.push("create");
      if (this.refuse) throw this.refuse;
      return this.made ?? this.state;
    },
    resumeReturn: async () => {
      this.asked.push("resume");
      if (this.refuse) throw this.refuse;
      return this.state;
    },
    receiveReturn: async ({ quantity }) => {
      this.asked.push("receive");
      if (this.voided) throw ReturnNotOpen({ so_number: "SO-1-RMA", status: "voided" });
      const remaining = this.ordered - this.received;
      if (quantity > remaining) throw OverReturnReceipt({ quantity, sku: "MUG", remaining, so_number: "SO-1-RMA" });
      this.received += quantity;
      const status = this.received === this.ordered ? "RECEIVED" : "PARTIALLY_RECEIVED";
      return {
        ...{ message: "", receipt_id: this.received, status },
        ...{ came: { sku: "MUG", units: quantity }, expected: this.#expected },
      };
    },
    voidReturn: async () => {
      this.asked.push("void");
      if (this.received > 0) throw VoidHasReceipts({ so_number: "SO-1-RMA" });
      this.voided = true;
      return { message: "", so_number: "SO-1-RMA", audit_log_id: 1 };
    },
    expireReturn: async () => {
      this.asked.push("expire");
      const ended = this.overdue ? (this.received > 0 ? "received" : "voided") : null;
      if (ended === "voided") this.voided = true;
      if (ended === "received") this.ordered = this.received;
      return ended ? { ended, days: 30 } : { ended };
    },
    voidByOperator: async () => {
      this.asked.push("void by operator");
      return this.#byOperator();
    },
  };
}
