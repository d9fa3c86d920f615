import type { EncryptionKeys } from "../../../../src/auth/sealed.js";
import type { Changes, Watch } from "../../sending/changes.js";
import { Rate } from "../../sending/rate.js";
import type { SharedWire } from "../../sending/wire.js";
import { type ChannelDestination, channelDestination, type DueItem, dueItems } from "./batch.js";
import { messageOf } from "./message.js";
import { storeFailed, storePublished } from "./settle.js";

/** Shared by all channels of a worker. */
export interface Publishing {
  keys: EncryptionKeys;
  retryDelaysMs: readonly number[];
  news: Changes;
  wire: SharedWire;
}

/** The longest that a timer can wait, about 24 days, is far above any wait here; a notification ends it. */
const LONGEST_WAIT_MS = 60 * 60 * 1_000;

/**
 * Tells one channel what is available, one request after the other, so that no older version of an item arrives after a
 * newer one. Used only under the channel's lock. What a killed one had sent and not stored is sent again.
 */
export class ChannelSender {
  #watch: Watch;
  #wake = () => {};
  #done = new AbortController();

  constructor(
    readonly channelId: string,
    readonly publishing: Publishing,
    readonly stop: AbortSignal,
    readonly lost: AbortSignal,
  ) {
    const wake = () => this.#wake();
    this.#watch = publishing.news.watch(channelId, wake);
    for (const end of [stop, lost]) end.addEventListener("abort", wake, { signal: this.#done.signal });
  }

  /** Sends until it is stopped or the channel is no longer active. */
  async run(): Promise<void> {
    let to: ChannelDestination | undefined;
    let rate: Rate | undefined;
    try {
      for (;;) {
        this.lost.throwIfAborted();
        if (this.stop.aborted) return;
        if (!to) {
          to = await channelDestination(this.channelId, this.publishing.keys);
          if (!to) return;
          rate ??= new Rate(to.perSecond);
          rate.perSecond = to.perSecond;
        }
        // Before the rows are read: what comes later wakes the wait below.
        this.#watch.changed = false;
        await rate?.available(this.stop);
        const { current, items, wait_ms } = await dueItems(to);
        if (!current) to = undefined;
        else if (items.length === 0) await this.#wait(wait_ms ?? LONGEST_WAIT_MS);
        else {
          rate?.take();
          await this.#send(to, items);
        }
      }
    } finally {
      this.#watch.end();
      this.#done.abort();
    }
  }

  /** Sends these items, or those that are due instead when the host has a slot, where something has changed by then. */
  async #send(to: ChannelDestination, due: DueItem[]): Promise<void> {
    const { wire, retryDelaysMs } = this.publishing;
    let items = due;
    const message = async () => {
      if (this.#watch.changed) {
        this.#watch.changed = false;
        ({ items } = await dueItems(to));
      }
      return items.length > 0 ? { ...messageOf(to, items), signal: this.lost } : undefined;
    };
    const unwanted = new AbortController();
    this.#wake = () => {
      if (this.#isOver()) unwanted.abort();
    };
    this.#wake();
    const outcome = await wire.send(to.url, message, unwanted.signal);
    this.lost.throwIfAborted();
    if (!outcome) return;
    if (outcome.ok) return storePublished(this.channelId, items);
    const failure = `${outcome.error_kind}: ${outcome.error_detail}`.slice(0, 512);
    return storeFailed(this.channelId, items, failure, retryDelaysMs);
  }

  #isOver(): boolean {
    return this.stop.aborted || this.lost.aborted;
  }

  async #wait(ms: number): Promise<void> {
    if (this.#watch.changed || this.#isOver()) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.min(Math.max(ms, 1), LONGEST_WAIT_MS));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
