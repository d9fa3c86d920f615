import type { SignalDefinition } from "@temporalio/common";
import { log } from "../../src/platform/log.js";
import { temporalClient, type WorkflowCall } from "./workflow-updates.js";

/**
 * Signals that are sent later and may be lost: a workflow that received none reads its rows before it acts. The signals
 * of three seconds are sent as one, because a signal costs several times as much as the scan that it reports.
 */
const BATCH_MS = 3_000;
const SEND_WITHIN_MS = 3_000;

/** The unsent signals of each workflow. */
const waiting = new Map<string, { name: string; payloads: unknown[] }>();

/** Signals a workflow within three seconds. */
export function signalSoon<T>(
  { res }: Pick<WorkflowCall, "res">,
  workflowId: string,
  name: string,
  payload: T extends SignalDefinition<[(infer N)[]]> ? N : never,
): void {
  res.setHeader("X-Service-Workflow-Id", workflowId);
  const others = waiting.get(workflowId);
  if (others) return void others.payloads.push(payload);
  waiting.set(workflowId, { name, payloads: [payload] });
  setTimeout(() => sendNow(workflowId), BATCH_MS).unref();
}

/** Takes the signals that wait for a workflow, for its next update to carry them. */
export function takeUnsent<T>(workflowId: string): T[] {
  const unsent = waiting.get(workflowId);
  waiting.delete(workflowId);
  return (unsent?.payloads ?? []) as T[];
}

function sendNow(workflowId: string): void {
  const name = waiting.get(workflowId)?.name;
  if (!name) return;
  send(workflowId, name, takeUnsent(workflowId)).catch((err) => log.debug({ err, workflowId }, "signal not delivered"));
}

/** Sends all unsent signals, when the API stops. */
export function sendAllSignals(): void {
  for (const workflowId of waiting.keys()) sendNow(workflowId);
}

async function send(workflowId: string, name: string, payloads: unknown[]) {
  const client = temporalClient();
  await client.withDeadline(Date.now() + SEND_WITHIN_MS, () =>
    client.workflow.getHandle(workflowId).signal(name, payloads),
  );
}
