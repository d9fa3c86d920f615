import type { Looked, WaitingReleased } from "../../src/picking/replenishment/workflow.js";
import { WarehouseCode, WarehouseId } from "../../src/platform/temporal/search-attributes.js";
import type { Timer } from "../process.js";
import { RowProcess } from "../row-process.js";
import * as texts from "../texts/replenishment.js";

const NOTHING_RELEASED = { released: 0, batches: 0 };

/** The state of a warehouse's replenishment, and what the Temporal UI shows of it. */
export class Replenishment extends RowProcess<Looked, texts.ReplenishmentEnded> {
  constructor(readonly warehouseId: number) {
    // Its rows are always there before it.
    super(false);
  }

  get title() {
    return this.rows ? texts.titleOf(this.rows) : `Replenishment of warehouse ${this.warehouseId}`;
  }

  protected refused(error: unknown) {
    return texts.refused(error);
  }

  protected repeated() {
    return undefined;
  }

  protected describe({ warehouse_code }: Looked) {
    this.setAttributes([
      { key: WarehouseId, value: this.warehouseId },
      { key: WarehouseCode, value: warehouse_code },
    ]);
    this.setStage("to replenish");
  }

  /** What it waits for after a look. */
  timer(): Timer {
    return texts.nextLook(this.rows as Looked);
  }

  /** Takes over what a look came to, and shows it. */
  learn(looked: Looked, released: Pick<WaitingReleased, "released" | "batches"> = NOTHING_RELEASED): void {
    this.rows = looked;
    if (looked.faces + looked.open + looked.waves === 0) this.ending ??= texts.completed();
    else this.say(texts.waits(looked, released, this.timer(), this.stays));
  }

  /** Its cancellation was requested in the Temporal UI. */
  refuseToEnd(): void {
    this.stays = texts.STAYS;
    if (this.rows) this.learn(this.rows);
  }
}
