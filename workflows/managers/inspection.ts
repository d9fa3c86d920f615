import type { InspectionLook, InspectionState } from "../../src/lots/inspections/workflow.js";
import { WarehouseCode, WarehouseId } from "../../src/platform/temporal/search-attributes.js";
import type { Timer } from "../process.js";
import { RowProcess } from "../row-process.js";
import * as texts from "../texts/inspection.js";

/** The state of an inspection's workflow, and what the Temporal UI shows of it. */
export class Inspection extends RowProcess<InspectionState, texts.InspectionEnded> {
  /** When it tells again that it waits, on the workflow's clock; null = never. */
  #remindAt: number | null = null;
  #dueAt: number | null = null;

  constructor(readonly inspectionId: number) {
    // Its rows are always there before it.
    super(false);
  }

  get title() {
    return this.rows ? texts.titleOf(this.rows) : `Inspection ${this.inspectionId}`;
  }

  protected refused(error: unknown) {
    return texts.refused(error);
  }

  protected repeated() {
    return undefined;
  }

  protected describe(rows: InspectionState) {
    const { warehouse_id, warehouse_code } = rows;
    if (warehouse_id !== null && warehouse_code !== null)
      this.setAttributes([
        { key: WarehouseId, value: warehouse_id },
        { key: WarehouseCode, value: warehouse_code },
      ]);
    this.setStage("to inspect");
    this.rows = undefined;
    this.learn(rows);
  }

  nextLook(): Timer {
    return texts.nextLook(this.#remindAt, this.#dueAt);
  }

  /** Takes over a newer state of the rows, and shows it; an older one is the answer to a repeated request. */
  learn(now: InspectionState, because?: string): void {
    if (this.rows && now.as_of < this.rows.as_of) return;
    this.rows = now;
    this.woken = true;
    this.#remindAt = now.reminder_ms === null ? null : Date.now() + now.reminder_ms;
    this.#dueAt = now.deadline_ms === null ? null : Date.now() + now.deadline_ms;
    if (now.closed) this.ending ??= texts.closed(now);
    else this.say(texts.waits(now, because, { remindAt: this.#remindAt, dueAt: this.#dueAt }, this.stays));
  }

  async readAgain(read: () => Promise<InspectionState>): Promise<void> {
    this.stale = false;
    this.learn(await this.step(read));
  }

  wasReminded({ reminded, overdue, state }: InspectionLook): void {
    this.learn(state, overdue ? texts.OVERDUE : reminded ? texts.REMINDED : undefined);
  }

  /** Its cancellation was requested in the Temporal UI. */
  refuseToEnd(): void {
    this.stays = texts.STAYS;
    if (this.rows) this.learn(this.rows);
  }
}
