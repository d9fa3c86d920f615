import type { EncryptionKeys } from "../../../../src/auth/sealed.js";
import { Attention, type Changes, type Ends } from "../../sending/changes.js";
import { Rate } from "../../sending/rate.js";
import type { SharedWire } from "../../sending/wire.js";
import { type ChannelDestination, channelDestination, type DueItem, dueItems, messageOf } from "./batch.js";
import { storeFailed, storePublished } from "./settle.js";

/** Shared by all channels of a worker. */
export interface Publishing {
  keys: EncryptionKeys;
  retryDelaysMs: readonly number[];
  news: Changes;
  wire: SharedWire;
}

/**
 * Tells one channel what is available, one request after the other, so that no older version of an item arrives after a
 * newer one. Used only under the channel's lock. What a killed one had sent and not stored is sent again.
 */
export class ChannelSender {
  readonly #attention: Attention;

  constructor(
    readonly channelId: string,
    readonly publishing: Publishing,
    readonly ends: Ends,
  ) {
    this.#attention = new Attention(publishing.news, channelId, ends);
  }

  /** Sends until it is stopped or the channel is no longer active. */
  async run(): Promise<void> {
    let to: ChannelDestination | undefined;
    let rate: Rate | undefined;
    try {
      for (;;) {
        this.ends.lost.throwIfAborted();
        if (this.ends.stop.aborted) return;
        if (!to) {
          to = await channelDestination(this.channelId, this.publishing.keys);
          if (!to) return;
          rate ??= new Rate(to.perSecond);
          rate.perSecond = to.perSecond;
        }
        // Before the rows are read: what comes later wakes the wait below.
        this.#attention.changed = false;
        await rate?.available(this.ends.stop);
        const { current, items, wait_ms } = await dueItems(to);
        if (!current) to = undefined;
        else if (items.length === 0) await this.#attention.wait(wait_ms ?? undefined);
        else {
          rate?.take();
          await this.#send(to, items);
        }
      }
    } finally {
      this.#attention.end();
    }
  }

  /** Sends these items, or those that are due instead when the host has a slot, where something has changed by then. */
  async #send(to: ChannelDestination, due: DueItem[]): Promise<void> {
    const { wire, retryDelaysMs } = this.publishing;
    let items = due;
    const message = async () => {
      if (this.#attention.changed) {
        this.#attention.changed = false;
        ({ items } = await dueItems(to));
      }
      return items.length > 0 ? { ...messageOf(to, items), signal: this.ends.lost } : undefined;
    };
    const outcome = await wire.send(to.url, message, this.#attention.unwanted());
    this.ends.lost.throwIfAborted();
    if (!outcome) return;
    if (outcome.ok) return storePublished(this.channelId, items);
    const failure = `${outcome.error_kind}: ${outcome.error_detail}`.slice(0, 512);
    return storeFailed(this.channelId, items, failure, retryDelaysMs);
  }
}
