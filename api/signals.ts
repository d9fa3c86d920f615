import type { SignalDefinition } from "@temporalio/common";
import { log } from "../src/log.js";
import { type Asking, engine } from "./process.js";

/**
 * What a process is told without waiting: the rows are what counts, and the process looks at them before it acts on silence.
 * So a lost signal costs a line of its history and nothing else. What comes close together travels together, because a
 * signal costs the engine several times what the scan itself costs.
 */
const GATHER_MS = 3_000;
const SEND_WITHIN_MS = 3_000;

/** What waits to be told to each workflow. */
const waiting = new Map<string, { name: string; news: unknown[] }>();

/** Tells a process a piece of news, soon. */
export function tell<T>(
  { res }: Pick<Asking, "res">,
  workflowId: string,
  name: string,
  news: T extends SignalDefinition<[(infer N)[]]> ? N : never,
): void {
  res.setHeader("X-Service-Workflow-Id", workflowId);
  const others = waiting.get(workflowId);
  if (others) return void others.news.push(news);
  waiting.set(workflowId, { name, news: [news] });
  setTimeout(() => tellNow(workflowId), GATHER_MS).unref();
}

/** Takes what waits to be told to a process: its next step brings it along. */
export function takeNews<T>(workflowId: string): T[] {
  const told = waiting.get(workflowId);
  waiting.delete(workflowId);
  return (told?.news ?? []) as T[];
}

function tellNow(workflowId: string): void {
  const name = waiting.get(workflowId)?.name;
  if (!name) return;
  send(workflowId, name, takeNews(workflowId)).catch((err) =>
    log.debug({ err, workflowId }, "signal not delivered"),
  );
}

/** Sends all that waits, when the API stops. */
export function tellAll(): void {
  for (const workflowId of waiting.keys()) tellNow(workflowId);
}

async function send(workflowId: string, name: string, news: unknown[]) {
  const asked = engine();
  await asked.withDeadline(Date.now() + SEND_WITHIN_MS, () =>
    asked.workflow.getHandle(workflowId).signal(name, news),
  );
}
