import { setTimeout as pause } from "node:timers/promises";
import { canonicalHost } from "../../../src/outbound/wire/connections.js";
import { type Delivery, LONGEST_DETAIL, type Outcome, openWire } from "../../../src/outbound/wire/send.js";
import { keyedSemaphore } from "../../../src/platform/concurrency/semaphore.js";
import type { Config } from "../../../src/platform/config/config.js";

/** What is posted, and what ends that at once. */
type Message = Omit<Delivery, "url">;

/** How an attempt ended; that of what was never sent took no time. */
export interface Attempt extends Omit<Outcome, "response_time_ms"> {
  attempted_at: string;
  completed_at: string;
  response_time_ms: number | null;
}

/** What stands for the attempt of something that was not sent, and why. */
export function notSent(why: string): Attempt {
  const now = new Date().toISOString();
  return {
    ...{ ok: false, http_status: null, response_body_hash: null, response_time_ms: null },
    ...{ error_kind: "unknown", error_detail: why.slice(0, LONGEST_DETAIL), attempted_at: now, completed_at: now },
  };
}

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

/** What everything is sent with. */
export interface Sending {
  config: Config<"worker">;
  wire: SharedWire;
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
        if (!made) return undefined;
        const outcome = await wire.send({ url, ...made });
        return { ...outcome, attempted_at: now.toISOString(), completed_at: new Date().toISOString() };
      };
      return perHost(`${canonicalHost(hostname)}:${port}`, attempt, unwanted);
    },
    close: wire.close,
  };
}

/**
 * A token bucket: `perSecond` sends a second, and as many at once after an idle second (docs/interface.md, Webhooks).
 */
export class Rate {
  #perSecond: number;
  #tokens: number;
  #filledAt = performance.now();

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    this.#tokens = perSecond;
  }

  set perSecond(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** Waits until at least one may be sent; gives how many. */
  async available(signal: AbortSignal): Promise<number> {
    this.#fill();
    if (this.#tokens < 1) {
      const ms = Math.ceil(((1 - this.#tokens) / this.#perSecond) * 1_000);
      await pause(ms, undefined, { signal }).catch(() => {});
      this.#fill();
    }
    return Math.max(1, Math.floor(this.#tokens));
  }

  take(): void {
    this.#tokens--;
  }

  #fill(): void {
    const now = performance.now();
    const filled = ((now - this.#filledAt) / 1_000) * this.#perSecond;
    this.#tokens = Math.min(this.#perSecond, this.#tokens + filled);
    this.#filledAt = now;
  }
}
