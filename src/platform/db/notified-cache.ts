import { LRUCache } from "lru-cache";
import type { Listener } from "./listener.js";

const MAX_ENTRIES = 10_000;

/** A value that was read, and for how long it may be kept at most. */
interface Read<T> {
  value: T;
  keepMs: number;
}

/**
 * Rows in the memory of this process, for what each request reads. Postgres notifies of their changes over the channel
 * that this listens to, whoever makes them; then all are read again. While that connection is lost, nothing is kept.
 */
export class NotifiedCache<T extends NonNullable<unknown>> implements Listener {
  readonly #values = new LRUCache<string, T>({ max: MAX_ENTRIES, ttlResolution: 0 });
  #isListening = false;
  /** A value that was read before the last invalidation may be out of date. */
  #invalidations = 0;

  /** The value of a key; `read` reads it where it is not kept, and gives undefined where there is none. */
  async get(key: string, read: () => Promise<Read<T> | undefined>): Promise<T | undefined> {
    const kept = this.#values.get(key);
    if (kept) return kept;
    const before = this.#invalidations;
    const found = await read();
    // The cache takes a ttl of 0 for no limit.
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

  /** The outcome of a change that this process makes: its next request sees it, before Postgres notifies of it. */
  invalidateAfter<R>(change: Promise<R>): Promise<R> {
    return change.finally(() => this.invalidate());
  }

  // The rest is called by the listening connection.

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
