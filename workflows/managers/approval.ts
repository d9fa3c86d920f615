import type { ApprovalState } from "../../src/agents/workflow.js";
import { WarehouseCode, WarehouseId } from "../../src/platform/temporal/search-attributes.js";
import { RowProcess } from "../row-process.js";
import * as texts from "../texts/approval.js";

/** The state of an approval's workflow, and what the Temporal UI shows of it. */
export class Approval extends RowProcess<ApprovalState, texts.ApprovalEnded> {
  /** On the workflow's clock. */
  #expiresAt = 0;

  get title() {
    return this.rows ? texts.titleOf(this.rows) : "Approval";
  }

  get isApproved(): boolean {
    return this.rows?.status === "APPROVED";
  }

  get untilExpiry() {
    return texts.untilExpiry(this.#expiresAt);
  }

  protected refused(error: unknown) {
    return texts.refused(error);
  }

  protected repeated() {
    return undefined;
  }

  protected describe(rows: ApprovalState) {
    const { warehouse_id, warehouse_code } = rows;
    if (warehouse_id !== null && warehouse_code !== null)
      this.setAttributes([
        { key: WarehouseId, value: warehouse_id },
        { key: WarehouseCode, value: warehouse_code },
      ]);
    this.setStage("to approve");
    this.rows = undefined;
    this.learn(rows);
  }

  /** Takes over a newer state of the row, and shows it; an older one is the answer to a repeated request. */
  learn(now: ApprovalState): void {
    if (this.rows && now.as_of < this.rows.as_of) return;
    this.rows = now;
    this.woken = true;
    this.#expiresAt = Date.now() + now.expires_ms;
    this.ending ??= texts.ending(now);
    if (!this.ending) this.say(texts.waits(now, this.#expiresAt, this.stays));
  }

  /** Its cancellation was requested in the Temporal UI. */
  wasRejectedThere(now: ApprovalState): void {
    this.learn(now);
    if (this.ending?.ended === "rejected") this.ending.byOperator = true;
  }

  /** Its cancellation was requested in the Temporal UI, and somebody had approved it. */
  refuseToEnd(): void {
    this.stays = texts.STAYS;
    if (this.rows) this.learn(this.rows);
  }
}
