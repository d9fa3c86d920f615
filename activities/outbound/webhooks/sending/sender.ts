import { setTimeout as pause } from "node:timers/promises";
import type { EncryptionKeys } from "../../../../src/auth/sealed.js";
import { retryDelay } from "../../../../src/outbound/retry.js";
import type { StuckDelivery } from "../../../../src/outbound/webhooks/delivery.js";
import { log } from "../../../../src/platform/log.js";
import { Attention, type Changes, type Ends } from "../../sending/changes.js";
import { Rate } from "../../sending/rate.js";
import type { SharedWire } from "../../sending/wire.js";
import { type Claim, claim, type Delivery } from "./claim.js";
import type { EventFeed } from "./event-feed.js";
import { type Destination, deliver, destinationOf, hasEvent } from "./post.js";
import { type Ended, failDelivery, releaseClaims, settleNow, withoutEvent } from "./settle.js";

/**
 * A sender claims one delivery at first, then twice as many each time, up to this maximum, and half as many where
 * sending takes long. When it is killed, so many may be sent twice.
 */
export const MAX_CLAIM = 16;
const QUICK_MS = 100;
/** After this many events that the filter does not select, the row stores how far it was applied. */
const STORE_AFTER = 10_000;
const NOT_DUE_YET_MS = 50;
const STORE_AGAIN_MS = 1_000;

/** Shared by all senders of a worker. */
export interface Sending {
  keys: EncryptionKeys;
  retryDelaysMs: readonly number[];
  feed: EventFeed;
  changes: Changes;
  wire: SharedWire;
}

/**
 * Sends the events of one subscription in order, each as soon as it is due. Used only under the subscription's lock.
 */
export class Sender {
  #to: Destination | undefined;
  #rate: Rate | undefined;
  /** The last event that the filter was applied to: in memory, and in the subscription's row. */
  #scanned = 0;
  #stored = 0;
  #most = 1;
  /** Results, and ids that were claimed and not sent: stored with the next claim. */
  #ended: Ended[] = [];
  #unsent: number[] = [];
  readonly #attention: Attention;

  constructor(
    readonly subscriptionId: string,
    readonly sending: Sending,
    readonly ends: Ends,
  ) {
    this.#attention = new Attention(sending.changes, subscriptionId, ends);
  }

  /**
   * Sends until it is stopped or the subscription is no longer active, or an attempt fails: then gives that delivery,
   * which has a retry schedule of its own.
   */
  async run(): Promise<StuckDelivery | undefined> {
    const stopListening = this.sending.feed.onDue(() => this.#attention.wake());
    try {
      await releaseClaims(this.subscriptionId);
      for (;;) {
        this.ends.lost.throwIfAborted();
        if (this.ends.stop.aborted || !(await this.#isActive())) {
          await settleNow(this.subscriptionId, this.#ended, this.#unsent);
          return undefined;
        }
        const { current, deliveries, scanned } = await this.#claim();
        const [head] = deliveries;
        if (!current) this.#to = undefined;
        else if (!head) await this.#idle(scanned !== null);
        else {
          const failed = head.attempt_number > 1 ? head : await this.#send(deliveries);
          if (failed) return this.#stuck(failed);
        }
      }
    } catch (error) {
      await this.#storeAtLast();
      throw error;
    } finally {
      this.#attention.end();
      stopListening();
    }
  }

  /** Reads the destination when it may have changed. */
  async #isActive(): Promise<boolean> {
    if (this.#to && !this.#attention.changed) return true;
    this.#attention.changed = false;
    const found = await destinationOf(this.subscriptionId, this.sending.keys);
    if (typeof found === "string") return false;
    this.#to = found;
    this.#rate ??= new Rate(found.perSecond);
    this.#rate.perSecond = found.perSecond;
    // The row has the right value: a new filter starts over.
    this.#scanned = 0;
    return true;
  }

  async #claim(): Promise<Claim> {
    const { version, filter } = this.#to as Destination;
    const allowed = await (this.#rate as Rate).available(this.ends.stop);
    const got = await claim({
      subscriptionId: this.subscriptionId,
      ended: this.#ended,
      unsent: this.#unsent,
      version,
      filter,
      scanned: this.#scanned,
      due: this.sending.feed.due,
      most: Math.min(this.#most, allowed),
    });
    this.#ended = [];
    this.#unsent = [];
    if (got.scanned !== null) this.#scanned = this.#stored = got.scanned;
    return got;
  }

  /**
   * Sends the claimed deliveries, up to the first that fails, which it gives. Each is sent only if nothing has changed
   * when the host has a slot for it.
   */
  async #send(deliveries: Delivery[]): Promise<Delivery | undefined> {
    const to = this.#to as Destination;
    const ends = { unwanted: this.#attention.unwanted(() => this.#attention.changed), lost: this.ends.lost };
    const begun = performance.now();
    for (const [i, delivery] of deliveries.entries()) {
      if (!hasEvent(delivery)) {
        this.#ended.push(withoutEvent(delivery));
        continue;
      }
      this.#rate?.take();
      // One that was tried before has a retry schedule of its own.
      const ended = delivery.attempt_number > 1 ? undefined : await deliver(this.sending.wire, delivery, to, ends);
      this.ends.lost.throwIfAborted();
      if (!ended) {
        this.#unsent = idsOf(deliveries.slice(i));
        return undefined;
      }
      if (ended.status === "failed") return this.#fail(delivery, ended, idsOf(deliveries.slice(i + 1)));
      this.#ended.push(ended);
    }
    const quick = performance.now() - begun < QUICK_MS;
    this.#most = quick ? Math.min(MAX_CLAIM, this.#most * 2) : Math.max(1, this.#most >> 1);
    return undefined;
  }

  /** Gives the failed delivery, unless its failure paused the subscription, or that was no longer active. */
  async #fail(delivery: Delivery, failure: Ended, unsent: number[]): Promise<Delivery | undefined> {
    const { status } = await failDelivery(
      this.subscriptionId,
      delivery,
      { before: this.#ended, failure, unsent },
      retryDelay(1, this.sending.retryDelaysMs, Math.random()),
    );
    this.#ended = [];
    return status === "active" ? delivery : undefined;
  }

  /** Stores what was sent before an error; lost, it would be sent again. Under the lock nobody else does meanwhile. */
  async #storeAtLast(): Promise<void> {
    while (!this.ends.lost.aborted && this.#ended.length > 0) {
      try {
        await settleNow(this.subscriptionId, this.#ended, this.#unsent);
        this.#ended = [];
      } catch (err) {
        log.warn({ err, id: this.subscriptionId }, "results of webhook deliveries not stored, trying again");
        await pause(STORE_AGAIN_MS, undefined, { signal: this.ends.lost }).catch(() => {});
      }
    }
  }

  /** Waits, without queries, for an event that the filter may select; others are skipped. */
  async #idle(all: boolean): Promise<void> {
    if (!all) return void (await pause(NOT_DUE_YET_MS));
    const { feed } = this.sending;
    const { filter } = this.#to as Destination;
    while (!this.#attention.changed && !this.#attention.isOver && !feed.hasFor(filter, this.#scanned)) {
      this.#scanned = Math.max(this.#scanned, feed.due);
      if (this.#scanned - this.#stored > STORE_AFTER) return;
      await this.#attention.wait();
    }
  }

  #stuck(delivery: Delivery): StuckDelivery {
    return {
      subscription_id: this.subscriptionId,
      first_delivery_id: delivery.first_delivery_id,
      event_id: delivery.event_id,
      event_type: delivery.event?.event_type ?? null,
    };
  }
}

const idsOf = (deliveries: Delivery[]) => deliveries.map(({ delivery_id }) => delivery_id);
