import { type RunningSenders, runSenders } from "../../activities/outbound/engine.js";
import type { TestService } from "./service.js";

/**
 * Starts and stops senders, each as if in a worker of its own.
 * @param startRetry What they call where Temporal is to try again.
 */
export function sendersOf(service: () => TestService, startRetry: Parameters<typeof runSenders>[1] = async () => {}) {
  /** Those that run. */
  const running: RunningSenders[] = [];
  function start(more: Partial<TestService["config"]> = {}): RunningSenders {
    const senders = runSenders({ ...service().config, ...more }, startRetry);
    running.push(senders);
    return senders;
  }
  async function stop(senders: RunningSenders): Promise<void> {
    running.splice(running.indexOf(senders), 1);
    await senders.stop();
    await senders.close();
  }
  async function stopAll(): Promise<void> {
    for (const senders of [...running]) await stop(senders);
  }
  return { start, stop, stopAll };
}
