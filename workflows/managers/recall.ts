import type { Actor } from "../../src/platform/actor.js";
import { openUnits, type RecallState } from "../../src/recalls/workflow.js";
import { RowProcess } from "../row-process.js";
import * as texts from "../texts/recall.js";

/** The state of a recall's workflow, and what the Temporal UI shows of it. */
export class Recall extends RowProcess<RecallState, texts.RecallEnded> {
  constructor(
    readonly recallId: number,
    readonly by: Actor,
    isNew: boolean,
  ) {
    super(isNew);
  }

  get title() {
    return texts.titleOf(this.recallId);
  }

  protected refused(error: unknown) {
    return texts.refused(error);
  }

  protected repeated(rows: RecallState) {
    return rows.recall_id === this.recallId ? undefined : texts.repeated(rows);
  }

  protected describe(rows: RecallState) {
    this.#show(rows);
  }

  /** Who opened it, for a command that this workflow issues itself. */
  actorOf(what: string): Actor {
    const { keyed: _, ...by } = this.by;
    return { ...by, commandId: this.commandId(what) };
  }

  /** Takes over a newer state of the rows; an older one is the answer to a repeated request. */
  learn(now: RecallState): void {
    if (this.rows && now.as_of < this.rows.as_of) return;
    this.rows = now;
    this.woken = true;
    this.#show(now);
  }

  async readAgain(read: () => Promise<RecallState>): Promise<void> {
    this.stale = false;
    this.learn(await this.step(read));
  }

  /** The result of a cancellation that was requested in the Temporal UI: it is closed, or stays. */
  wasCancelled(now: RecallState): void {
    if (now.closed_by === null) this.stays = texts.STAYS;
    this.learn(now);
  }

  #show(now: RecallState): void {
    if (now.closed_by !== null) {
      this.ending ??= texts.closed(now.closed_by);
      return;
    }
    this.setStage(openUnits(now.units) > 0 || now.to_hold.length > 0 ? "recalling" : "to close");
    this.say(texts.waits(now, this.stays));
  }
}
