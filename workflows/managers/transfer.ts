import * as wf from "@temporalio/workflow";
import type { Actor } from "../../src/platform/actor.js";
import { reasonOf } from "../../src/platform/temporal/details.js";
import type { PickingStarted, TransferState, WithState } from "../../src/transfers/steps.js";
import { transferAttributes, transferTitle } from "../../src/transfers/workflow.js";
import { isRefusal } from "../database-activities.js";
import type { Timer } from "../process.js";
import { RowProcess } from "../row-process.js";
import * as texts from "../texts/transfer-order.js";
import { startWave, tellReleased, tellSuperseded } from "../wave-messages.js";

/**
 * The state of a transfer order's workflow, and what the Temporal UI shows of it; the rows are as after the last step.
 */
export class Transfer extends RowProcess<TransferState, texts.TransferEnded> {
  /** When the next reminder is written, on the workflow's clock; null = never. */
  #remindAt: number | null = null;

  constructor(
    readonly toId: number,
    isNew: boolean,
    attributesSet: boolean,
  ) {
    super(isNew);
    if (attributesSet) this.stage = "to pick";
    // Release 0.3.0 marked the runs that continue from rows.
    if (!isNew) wf.deprecatePatch("attributes by argument");
  }

  get title() {
    return this.rows?.to_id === this.toId ? transferTitle(this.rows) : `Transfer order ${this.toId}`;
  }

  protected refused(error: unknown) {
    return texts.refused(error);
  }

  protected repeated(rows: TransferState) {
    return rows.to_id === this.toId ? undefined : texts.repeated(rows);
  }

  protected describe(rows: TransferState) {
    this.setAttributes(transferAttributes(rows));
    this.learn(rows);
  }

  nextLook(): Timer {
    return texts.nextLook(this.#remindAt);
  }

  /** Runs a step, and shows the state of the order after it, and why. */
  change<T>(run: () => Promise<WithState<T>>, because?: Because<T>): Promise<Omit<WithState<T>, "state">> {
    return this.step(() => this.changeNow(run, because));
  }

  /**
   * The same within a step. If the step ended a pick batch, the workflow of that batch is told that it was released.
   */
  async changeNow<T>(run: () => Promise<WithState<T>>, because?: Because<T>): Promise<Omit<WithState<T>, "state">> {
    const before = this.rows?.picking;
    const { state: now, ...answer } = await run();
    const why = typeof because === "function" ? because(answer, now) : because;
    this.learn(now, why);
    if (before && before.batch_id !== this.rows?.picking?.batch_id) await tellReleased(before.batch_id, why ?? "");
    return answer;
  }

  /** Creates a batch that picks it, and starts the batch's workflow. */
  pick(run: () => Promise<PickingStarted>, by: Actor): Promise<Omit<PickingStarted, "state">> {
    return this.step(async () => {
      const { state: now, ...begun } = await run();
      const { batch_id, batch_number, tasks_created, superseded } = begun;
      for (const earlier of superseded) await tellSuperseded(earlier, batch_id);
      // The batch of a repeated request may have ended long ago.
      if (this.learn(now, texts.picks(by.username, tasks_created)))
        await startWave(batch_id, texts.walkSummary(batch_number, now, by.username), by);
      return begun;
    });
  }

  delete<T>(run: () => Promise<T>, by: Actor): Promise<T> {
    return this.step(async () => {
      const answer = await run();
      const because = texts.deletedBy(by.username);
      if (this.rows?.picking) await tellReleased(this.rows.picking.batch_id, because);
      this.ending = texts.deleted(because);
      return answer;
    });
  }

  async readAgain(read: () => Promise<TransferState>): Promise<void> {
    this.stale = false;
    const now = await this.look(read);
    if (now) this.learn(now);
  }

  /** Reads the rows; if they do not exist, the order was deleted while this workflow was lost. */
  async look<T>(ask: () => Promise<T>): Promise<T | undefined> {
    try {
      return await this.step(ask);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.ending ??= texts.deleted(reasonOf(error));
      return undefined;
    }
  }

  /**
   * Takes over a newer state of the rows and shows it. Returns false for an older one, which is the recorded answer of
   * a repeated request.
   */
  learn(now: TransferState, because?: string): boolean {
    if (this.rows && now.as_of < this.rows.as_of) return false;
    this.rows = now;
    this.woken = true;
    this.#remindAt = now.reminder_ms === null ? null : Date.now() + now.reminder_ms;
    const ending = texts.endOf(now, because);
    if (ending) this.ending ??= ending;
    else {
      const stage = texts.stageOf(now);
      if (stage !== this.stage) this.setStage(stage);
      this.say(texts.transferDetails(now, because, this.#remindAt));
    }
    return true;
  }
}

/** The text after a step. */
type Because<T> = string | ((answer: Omit<WithState<T>, "state">, now: TransferState) => string | undefined);
