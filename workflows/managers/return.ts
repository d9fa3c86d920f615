import type { Actor } from "../../src/platform/actor.js";
import { SoNumbers, WarehouseCode, WarehouseId } from "../../src/platform/temporal/search-attributes.js";
import type { Expired, OperatorVoid, ReceivedUnits, ReturnStarted } from "../../src/returns/workflow.js";
import { RowProcess } from "../row-process.js";
import * as texts from "../texts/rma.js";

/** The state of a return's workflow, and what the Temporal UI shows of it. */
export class Return extends RowProcess<ReturnStarted, texts.ReturnEnded> {
  /** What came last, and by whom. */
  #last = "";

  constructor(
    readonly soId: number,
    isNew: boolean,
  ) {
    super(isNew);
  }

  get title() {
    return texts.titleOf(this.rows, this.soId);
  }

  protected refused(error: unknown) {
    return texts.refused(error);
  }

  protected repeated(rows: ReturnStarted) {
    return rows.so_id === this.soId ? undefined : texts.repeated(rows);
  }

  protected describe(rows: ReturnStarted) {
    if (rows.ended) {
      this.ending ??= texts.found(rows.ended);
      return;
    }
    const { warehouse_id, warehouse_code, so_number, original_so_number } = rows;
    this.setAttributes([
      { key: WarehouseId, value: warehouse_id },
      { key: WarehouseCode, value: warehouse_code },
      { key: SoNumbers, value: [so_number, original_so_number] },
    ]);
    this.#show(rows);
  }

  wasReceived({ came, expected }: ReceivedUnits, { username }: Actor): void {
    const { rows } = this;
    // The answer to a repeated request is older than the known state.
    if (rows && expected.units < rows.expected.units) {
      this.#last = texts.received(came, username);
      rows.received += rows.expected.units - expected.units;
      rows.expected = expected;
    }
    if (expected.units === 0) this.ending = texts.allReceived(this.#last);
    else if (rows) this.#show(rows);
  }

  async readAgain(read: () => Promise<ReturnStarted>): Promise<void> {
    this.stale = false;
    const rows = await this.step(read);
    this.rows = rows;
    if (this.ending) return;
    if (rows.ended) this.ending = texts.found(rows.ended);
    else this.#show(rows);
  }

  wasExpired(done: Expired): void {
    if (done.ended) this.ending = texts.expired(done.ended, done.days);
  }

  /**
   * The result of a cancellation that was requested in the Temporal UI: the return is voided, or has ended, or stays.
   */
  wasCancelled(done: OperatorVoid): void {
    if (done.ended) this.ending = done.by_operator ? texts.BY_OPERATOR : texts.found(done.ended);
    else {
      this.stays = done.because;
      if (this.rows) this.#show(this.rows);
    }
  }

  #show(rows: ReturnStarted): void {
    this.setStage(rows.received > 0 ? "partly received" : "to receive");
    this.say(texts.waits(rows, this.#last, this.stays));
  }
}
