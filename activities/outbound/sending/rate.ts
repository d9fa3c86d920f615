import { setTimeout as pause } from "node:timers/promises";

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
