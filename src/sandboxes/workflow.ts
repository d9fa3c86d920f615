/** The messages of the workflow `sandbox`. Types and pure functions only, for the workflow. */

import type { Actor } from "../platform/actor.js";

/** What may be had of a sandbox at once. */
export const scenarios = ["order", "short", "cancellation", "return", "receipt"] as const;
export type Scenario = (typeof scenarios)[number];

/** What a sandbox is begun with. */
export interface SandboxRequest {
  connector_id: string;
  pace_seconds: number;
}

/** A sandbox as its workflow needs it, by its row. */
export interface SandboxState {
  sandbox_id: number;
  connector_id: string | null;
  warehouse_id: number;
  warehouse_code: string;
  pace_seconds: number;
  moves: number;
  last_move: string | null;
  orders: number;
  is_filled: boolean;
  ended_by: string | null;
  /** Whether it moves; else nobody uses it, or it has had all its orders. */
  goes: "on" | "unused" | "full";
  /** Until its next move, or until it looks whether somebody uses it. */
  next_ms: number;
  /** Until it ends, if nobody uses it. */
  ends_in_ms: number;
  /** In which order states were read. */
  as_of: string;
}

/** What came of a scenario. */
export interface SandboxStep {
  scenario: Scenario;
  /** The order that it made, of a customer or to a vendor. */
  number: string;
  /** What was done, in order. */
  done: string[];
}

/** How a sandbox ended: by whom, and what of it could not be removed. */
export interface SandboxEnd {
  state: SandboxState;
  stays: string | null;
}

/** The activities that make requests of the service's own routes; workers have them. */
export interface SandboxActivities {
  fillSandbox(sandboxId: number): Promise<SandboxState>;
  moveSandbox(sandboxId: number, commandId: string): Promise<SandboxState>;
  /** @param by Who ends it, or the id of the command with which the service itself does. */
  endSandbox(sandboxId: number, by: Actor | string): Promise<SandboxEnd>;
  stepSandbox(sandboxId: number, scenario: Scenario, by: Actor): Promise<{ step: SandboxStep; state: SandboxState }>;
}

export const sandboxWorkflowId = (sandboxId: number) => `sandbox-${sandboxId}`;
