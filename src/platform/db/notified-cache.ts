import { LRUCache } from "lru-cache";
import type { Listener } from "./listener.js";

const MAX_ENTRIES = 10_000;

/** A value that was read, and the longest that it may be kept. */
interface Read<T> {
  value: T;
  keepMs: number;
}

/**
 * Rows in the memory of this process, for data that each request reads. Postgres notifies of any change of them over
 * the channel that this listens to; then all values are dropped. While that connection is lost, nothing is kept.
 */
export class NotifiedCache<T extends NonNullable<unknown>> implements Listener {
  readonly #values = new LRUCache<string, T>({ max: MAX_ENTRIES, ttlResolution: 0 });
  #isListening = false;
  /** A value that was read before the last invalidation may be out of date. */
  #invalidations = 0;

  /** The value of a key; `read` reads it where it is not kept, and returns undefined where there is none. */
  async get(key: string, read: () => Promise<Read<T> | undefined>): Promise<T | undefined> {
    const kept = this.#values.get(key);
    if (kept) return kept;
    const before = this.#invalidations;
    const found = await read();
    // The cache takes a ttl of 0 as no limit.
    if (found && this.#isListening && this.#invalidations === before)
      this.#values.set(key, found.value, { ttl: found.keepMs || 1 });
    return found?.value;
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  /** Forgets all values. */
  invalidate(): void {
    this.#invalidations++;
    this.#values.clear();
  }

  /** The result of a change by this process; its next request must see the change before Postgres notifies of it. */
  invalidateAfter<R>(change: Promise<R>): Promise<R> {
    return change.finally(() => this.invalidate());
  }

  // Called by the listening connection.

  connected(): void {
    this.#isListening = true;
  }

  notified(): void {
    this.invalidate();
  }

  lost(): void {
    this.#isListening = false;
    this.invalidate();
  }
}
