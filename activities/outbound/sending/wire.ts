import { canonicalHost } from "../../../src/outbound/wire/addresses.js";
import { type Delivery, type Outcome, openWire } from "../../../src/outbound/wire/send.js";
import { keyedSemaphore } from "../../../src/platform/concurrency/semaphore.js";
import type { Config } from "../../../src/platform/config/config.js";

/** What is posted, and what ends that at once. */
type Message = Omit<Delivery, "url">;

/** How an attempt ended that was begun at this time. */
export type Attempt = Outcome & { attempted_at: string };

/** Sends what a worker has for webhooks, channels and notification destinations, a few at a time to one host. */
export interface SharedWire {
  /**
   * Makes one attempt when the host has a slot for it, which may take long where it is slow.
   * @param message Called then, so that nothing is sent, signed or dated as it was before; undefined: send nothing.
   * @param unwanted Ends the waiting; an attempt that was begun goes on.
   * @returns Undefined where nothing was sent.
   */
  send(
    url: string,
    message: (now: Date) => Message | undefined | Promise<Message | undefined>,
    unwanted: AbortSignal,
  ): Promise<Attempt | undefined>;
  close(): void;
}

export function openSharedWire(config: Config<"worker">): SharedWire {
  const wire = openWire({
    connectTimeoutMs: config.dispatcherHttpConnectTimeoutMs,
    readTimeoutMs: config.dispatcherHttpReadTimeoutMs,
    totalTimeoutMs: config.dispatcherHttpTimeoutMs,
    allowHttp: config.allowHttpWebhooks,
    allowInternal: config.allowInternalWebhooks,
  });
  const perHost = keyedSemaphore<string>(config.dispatcherMaxConcurrentPosts);
  return {
    send(url, message, unwanted) {
      const { hostname, port } = new URL(url);
      const attempt = async () => {
        const now = new Date();
        const made = await message(now);
        return made && { ...(await wire.send({ url, ...made })), attempted_at: now.toISOString() };
      };
      return perHost(`${canonicalHost(hostname)}:${port}`, attempt, unwanted);
    },
    close: wire.close,
  };
}
