import * as wf from "@temporalio/workflow";
import type { CountCreated, CountSubmitted } from "../../src/counting/shapes.js";
import { type CountReviewed, type CountsOfWarehouse, countWorkflowId } from "../../src/counting/workflow.js";
import type { Actor } from "../../src/platform/actor.js";
import { CountId, Stage, WarehouseCode, WarehouseId } from "../../src/platform/temporal/search-attributes.js";
import { startApart } from "../process.js";
import { RowProcess } from "../row-process.js";
import * as texts from "../texts/cycle-count.js";

/** The state of a count's workflow, and what the Temporal UI shows of it. */
export class Count extends RowProcess<CountsOfWarehouse, texts.CountEnded> {
  title: string;
  /** The other counts of the request, each of which gets a workflow of its own. */
  #others: CountCreated[] = [];

  constructor(
    readonly countId: number,
    readonly by: Actor,
    isNew: boolean,
  ) {
    super(isNew);
    this.title = texts.titleOf(countId);
    // Release 0.3.0 marked its runs.
    wf.deprecatePatch("stage and outcome");
  }

  protected refused(error: unknown) {
    return texts.refused(error);
  }

  protected repeated({ counts: [mine] }: CountsOfWarehouse) {
    return mine && mine.count_id !== this.countId ? texts.repeated(mine.count_id) : undefined;
  }

  protected describe({ warehouse_id, warehouse_code, counts }: CountsOfWarehouse) {
    const [mine, ...others] = counts as [CountCreated, ...CountCreated[]];
    this.#others = others;
    this.title = texts.titleOf(this.countId, mine.bin_code, warehouse_code);
    this.stage = mine.status === "VARIANCE" ? "to review" : "counting";
    this.setAttributes([
      { key: WarehouseId, value: warehouse_id },
      { key: CountId, value: this.countId },
      { key: WarehouseCode, value: warehouse_code },
      { key: Stage, value: this.stage },
    ]);
    this.say(
      mine.status === "VARIANCE"
        ? texts.toReview(this.title, texts.differencesBefore(mine.assigned_to))
        : texts.toCount(this.title, mine, this.by.username),
    );
  }

  /** Starts the workflows of the other counts of the request. */
  async startOthers(): Promise<void> {
    await Promise.all(
      this.#others.map(({ count_id, bin_code }) =>
        startApart("cycleCount", {
          workflowId: countWorkflowId(count_id),
          args: [count_id, this.by],
          staticSummary: texts.summaryOf(count_id, bin_code, this.by.username),
        }),
      ),
    );
  }

  wasSubmitted({ status, summary }: CountSubmitted, { username }: Actor): void {
    if (status === "COMPLETED") this.ending = texts.asExpected(username);
    else this.#toReview(texts.differences(summary, username));
  }

  /** Carries out an admin's decision, which ends the count once nothing is left to decide. */
  decide(who: Actor, run: () => Promise<CountReviewed>): Promise<CountReviewed> {
    return this.step(async () => {
      const reviewed = await run();
      const { pending, approved } = reviewed;
      if (pending === 0) this.ending = texts.decided(approved > 0 ? "approved" : "rejected", who.username);
      else this.#toReview(texts.partlyDecided(pending, who.username));
      return reviewed;
    });
  }

  #toReview(why: string): void {
    this.setStage("to review");
    this.say(texts.toReview(this.title, why));
  }
}
