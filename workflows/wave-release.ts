import * as wf from "@temporalio/workflow";
import type * as templates from "../activities/picking/wave-templates.js";
import type { ReleasedBefore, TemplateStart } from "../src/picking/waves/template-run.js";
import { WarehouseCode, WarehouseId } from "../src/platform/temporal/search-attributes.js";
import { uninterrupted } from "./endings.js";
import { lateMinutes } from "./lateness.js";
import { Process } from "./process.js";
import * as texts from "./texts/wave-release.js";

export interface ReleaseEnd {
  ended: texts.ReleaseEnded;
  batches: number;
  orders: number;
  /** Orders that there was not enough stock for at the last release. */
  short: number;
}

// A release of a hundred batches takes longer than a local activity may.
const { releaseTemplate } = wf.proxyActivities<Pick<typeof templates, "releaseTemplate">>({
  startToCloseTimeout: "5m",
  summary: "Plans the waves of the template and releases them",
});

class Release extends Process<texts.ReleaseEnded> {
  constructor(readonly start: TemplateStart) {
    super(false);
  }

  get title() {
    return texts.titleOf(this.start);
  }
}

/**
 * The waves of a template, released by the clock (docs/waves.md); its schedule and its id are
 * `wave-release-<template_id>`, of the id with the time. It releases what the shelves cover and, where the template has
 * a cut-off, waits for it and releases what came in meanwhile. When its cancellation is requested in the Temporal UI,
 * it does not wait any longer; what was released stays.
 */
export function waveRelease(start: TemplateStart): Promise<ReleaseEnd> {
  return uninterrupted(async () => {
    const release = new Release(start);
    const late = lateMinutes();
    const { template_id, warehouse_code } = start;
    release.say(texts.releasing(start, late));
    const runs: texts.Run[] = [];
    const run = async (what: string, before?: ReleasedBefore) => {
      const answer = await release.step(() => releaseTemplate(template_id, release.commandId(what), late, before));
      const done = { ...release.learnMissing(answer), at: Date.now() };
      runs.push(done);
      return done;
    };
    const first = await run("release");
    if ("not_released" in first) release.ending = texts.skipped(first);
    else
      release.setAttributes([
        { key: WarehouseId, value: first.warehouse_id },
        { key: WarehouseCode, value: warehouse_code },
      ]);
    if ("cut_off_minutes" in first && first.cut_off_minutes !== null) {
      release.setStage("to release");
      const timer = texts.cutOffTimer(first.cut_off_minutes);
      release.say(texts.waiting(start, first, late, timer));
      if (await wf.condition(() => release.cancelled, timer.ms, { summary: timer.summary }))
        release.ending = texts.cancelled(first);
      else await run("cut-off", { batches: first.batches, orders: first.orders });
    }
    release.ending ??= texts.completed(runs, late);
    const ended = await release.end();
    const done = runs.filter((one) => "batches" in one);
    const sum = (of: "batches" | "orders") => done.reduce((total, one) => total + one[of], 0);
    return { ended, batches: sum("batches"), orders: sum("orders"), short: done.at(-1)?.short ?? 0 };
  });
}
