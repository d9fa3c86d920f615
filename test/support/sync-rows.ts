import { randomUUID } from "node:crypto";
import { ApplicationFailure } from "@temporalio/common";
import { SyncRunning } from "../../src/connectors/problems.js";
import {
  type PageResult,
  RUN_LOST,
  SOURCE_FAILED,
  type SourceFailure,
  type SyncKey,
  type SyncRun,
} from "../../src/connectors/sync.js";
import type { Actor } from "../../src/platform/actor.js";
import type { Doubles } from "./workflow-environment.js";

/** The row of a sync and its source, as far as the workflow of a sync sees them. */
export class SyncRows {
  held: SyncRun | undefined;
  /** What the row says of the attempts: failures in a row, and how the last run ended. */
  failures: string[] = [];
  status: "idle" | "running" | "error" = "idle";
  finished: (string | null)[] = [];
  /** The cursors that pages were asked with. */
  asked: (string | null)[] = [];
  /** The commands that claimed it, with their runs. */
  private readonly claims = new Map<string, SyncRun>();

  readonly key: SyncKey = { connector: "shop", warehouse_id: 1, sync_type: "items" };
  start = { ...this.key, begun: "request" as const, retry_delay_ms: 50 };

  /** How the source answers for a page; by default three pages of two records. */
  page: (cursor: string | null) => Promise<PageResult> = async (cursor) => {
    const page = Number(cursor ?? 0);
    const newest = `2026-05-0${page + 1}T00:00:00Z`;
    return { next: page < 2 ? `${page + 1}` : null, read: 2, written: 1, known: 1, refused: 0, newest };
  };

  private claim(commandId: string, workflow_id: string): SyncRun {
    const before = this.claims.get(commandId);
    if (before) return before;
    if (this.held) throw SyncRunning();
    const run = {
      ...{ ...this.key, run_id: randomUUID(), workflow_id, warehouse_code: "MAIN", since: null },
      ...{ started_at: "2026-05-06T12:00:00Z" },
    };
    this.claims.set(commandId, run);
    this.held = run;
    this.status = "running";
    return run;
  }

  /** Frees the row, as a reset does. */
  free(): void {
    this.held = undefined;
    this.status = "idle";
  }

  private ends(run: SyncRun, how: () => void): { held: boolean } {
    const held = this.held?.run_id === run.run_id;
    if (held) how();
    return { held };
  }

  private check(run: SyncRun): void {
    if (this.held?.run_id !== run.run_id)
      throw ApplicationFailure.create({ type: RUN_LOST, nonRetryable: true, message: "lost" });
  }

  readonly doubles = {
    claimSync: async (_: SyncKey, workflowId: string, by: Actor) => this.claim(by.commandId, workflowId),
    claimScheduledSync: async (_: SyncKey, workflowId: string, runId: string) => this.claim(runId, workflowId),
    heldSync: async () => this.held ?? null,
    finishSync: async (run: SyncRun, newest: string | null) =>
      this.ends(run, () => {
        this.finished.push(newest);
        this.failures = [];
        this.free();
      }),
    failAttempt: async (run: SyncRun, _: number, message: string) => this.ends(run, () => this.failures.push(message)),
    failSync: async (run: SyncRun, message: string) =>
      this.ends(run, () => {
        this.failures.push(message);
        this.free();
        this.status = "error";
      }),
    stopSync: async (run: SyncRun) => this.ends(run, () => this.free()),
    retryRefused: async (run: SyncRun) => {
      this.check(run);
      return { next: null, read: 0, written: 0, known: 0, refused: 0, newest: null };
    },
    syncPage: async (run: SyncRun, cursor: string | null) => {
      this.check(run);
      this.asked.push(cursor);
      const page = await this.page(cursor);
      this.check(run);
      return page;
    },
    checkSource: async () => "Connected to the shop",
  } satisfies Doubles;
}

/** A failure of the source, as the activities report it. */
export const sourceFails = (message = "HTTP 500", how: SourceFailure = {}) =>
  ApplicationFailure.create({ type: SOURCE_FAILED, message, nonRetryable: true, details: [how] });
