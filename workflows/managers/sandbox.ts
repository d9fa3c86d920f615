import { Connector, WarehouseCode, WarehouseId } from "../../src/platform/temporal/search-attributes.js";
import type { SandboxEnd, SandboxState } from "../../src/sandboxes/workflow.js";
import type { Timer } from "../process.js";
import { RowProcess } from "../row-process.js";
import * as texts from "../texts/sandbox.js";

/** The state of a sandbox's workflow, and what the Temporal UI shows of it. */
export class Sandbox extends RowProcess<SandboxState, texts.SandboxEnded> {
  constructor(
    readonly sandboxId: number,
    isNew: boolean,
  ) {
    super(isNew);
  }

  get title() {
    return this.rows ? texts.titleOf(this.rows) : `Sandbox ${this.sandboxId}`;
  }

  get isFilled(): boolean {
    return this.rows?.is_filled === true;
  }

  /** Whether nobody has used it for so long that it ends. */
  get isUnused(): boolean {
    return this.rows !== undefined && this.rows.ends_in_ms <= 0;
  }

  protected refused(error: unknown) {
    return texts.refused(error);
  }

  protected repeated(rows: SandboxState) {
    return rows.sandbox_id === this.sandboxId ? undefined : texts.repeated(rows);
  }

  protected describe(rows: SandboxState) {
    const { warehouse_id, warehouse_code, connector_id } = rows;
    this.setAttributes([
      { key: WarehouseId, value: warehouse_id },
      { key: WarehouseCode, value: warehouse_code },
      ...(connector_id ? [{ key: Connector, value: connector_id }] : []),
    ]);
    this.rows = undefined;
    this.learn(rows);
  }

  /** What it waits for. */
  timer(): Timer {
    return texts.next(this.rows as SandboxState);
  }

  /** Takes over a newer state of the row, and shows it; an older one is the answer to a repeated request. */
  learn(now: SandboxState): SandboxState {
    if (this.rows && now.as_of < this.rows.as_of) return now;
    this.rows = now;
    this.woken = true;
    this.ending ??= texts.ending(now, null);
    const stage = texts.stageOf(now);
    if (this.ending) return now;
    if (stage !== this.stage) this.setStage(stage);
    this.say(texts.goesOn(now, this.timer()));
    return now;
  }

  /** It was ended, and removed as far as it may be. */
  hasEnded({ state, stays }: SandboxEnd): SandboxState {
    this.ending ??= texts.ending(state, stays);
    if (this.ending && this.cancelled) this.ending.byOperator = true;
    return this.learn(state);
  }
}
