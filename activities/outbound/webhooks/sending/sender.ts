import { setTimeout as pause } from "node:timers/promises";
import { type Attempted, retryDelay, tryAgain } from "../../../../src/outbound/retry.js";
import type { DeliveryAttempted, SendingEnded, StuckDelivery } from "../../../../src/outbound/sending.js";
import { log } from "../../../../src/platform/log.js";
import { Attention, type Changes, type Ends } from "../../sending/changes.js";
import { notSent, Rate, type Sending } from "../../sending/wire.js";
import { type Claim, claim, claimAgain, type Delivery } from "./claim.js";
import type { EventFeed } from "./event-feed.js";
import { type Destination, destinationOf, post } from "./post.js";
import { type Ended, type Failed, failDelivery, releaseClaims, resultOf, settleNow } from "./settle.js";

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
export interface WebhookSending extends Sending {
  feed: EventFeed;
  changes: Changes;
}

/** A delivery that failed, what became of it, and when it is tried again. */
interface FailedDelivery extends Failed {
  delivery: Delivery;
  again: Attempted<never>;
}

/**
 * Sends the events of one subscription in order, each as soon as it is due, or one that failed again. Used only under
 * the subscription's lock.
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
    readonly sending: WebhookSending,
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
        if (this.ends.stop.aborted || (await this.#inactive())) {
          await settleNow(this.subscriptionId, this.#ended, this.#unsent);
          return undefined;
        }
        const { current, deliveries, scanned } = await this.#claim();
        const [head] = deliveries;
        if (!current) this.#to = undefined;
        else if (!head) await this.#idle(scanned !== null);
        else if (head.attempt_number > 1) return this.#stuck(head);
        else {
          const failed = await this.#send(untried(deliveries));
          // Its failure may have paused the subscription.
          if (failed?.status === "active") return this.#stuck(failed.delivery);
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

  /** Makes the next attempt of a delivery that failed, if it is due, else says when it will be. */
  async retry(stuck: StuckDelivery): Promise<DeliveryAttempted> {
    try {
      const ended = await this.#inactive();
      if (ended) return { ended };
      const { claimed, ...next } = await claimAgain(stuck, (this.#to as Destination).version);
      if (!claimed) return next;
      const failed = await this.#send([claimed]);
      if (failed) return failed.given_up ? { ended: "dlq" } : failed.again;
      const [result] = this.#ended;
      await settleNow(this.subscriptionId, this.#ended, this.#unsent);
      return result ? { ended: result.status } : {};
    } finally {
      this.#attention.end();
    }
  }

  /** Reads the destination when it may have changed; gives why nothing is sent there. */
  async #inactive(): Promise<SendingEnded | undefined> {
    if (this.#to && !this.#attention.changed) return undefined;
    this.#attention.changed = false;
    const found = await destinationOf(this.subscriptionId, this.sending.config);
    if (typeof found === "string") return found;
    this.#to = found;
    this.#rate ??= new Rate(found.perSecond);
    this.#rate.perSecond = found.perSecond;
    // The row has the right value: a new filter starts over.
    this.#scanned = 0;
    return undefined;
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
  async #send(deliveries: Delivery[]): Promise<FailedDelivery | undefined> {
    const to = this.#to as Destination;
    const ends = { unwanted: this.#attention.unwanted(() => this.#attention.changed), lost: this.ends.lost };
    const begun = performance.now();
    for (const [i, delivery] of deliveries.entries()) {
      const { delivery_id, event } = delivery;
      if (!event) {
        this.#ended.push(resultOf(delivery_id, notSent("The event is gone")));
        continue;
      }
      this.#rate?.take();
      const messageId = `evt_${this.subscriptionId}_${event.event_id}`;
      const attempt = await post(this.sending.wire, { messageId, event }, to, ends);
      this.ends.lost.throwIfAborted();
      if (!attempt) {
        this.#unsent = idsOf(deliveries.slice(i));
        return undefined;
      }
      const result = resultOf(delivery_id, attempt);
      if (!attempt.ok) return this.#fail(delivery, result, idsOf(deliveries.slice(i + 1)));
      this.#ended.push(result);
    }
    const quick = performance.now() - begun < QUICK_MS;
    this.#most = quick ? Math.min(MAX_CLAIM, this.#most * 2) : Math.max(1, this.#most >> 1);
    return undefined;
  }

  async #fail(delivery: Delivery, failure: Ended, unsent: number[]): Promise<FailedDelivery> {
    const { attempt_number } = delivery;
    const waitMs = retryDelay(attempt_number, this.sending.config.dispatcherRetryDelaysMs, Math.random());
    const failed = await failDelivery(this.subscriptionId, delivery, { before: this.#ended, failure, unsent }, waitMs);
    this.#ended = [];
    return { ...failed, delivery, again: tryAgain(failure, attempt_number, waitMs) };
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

/** Those before the first that was tried before, which has a retry schedule of its own. */
function untried(deliveries: Delivery[]): Delivery[] {
  const tried = deliveries.findIndex(({ attempt_number }) => attempt_number > 1);
  return tried < 0 ? deliveries : deliveries.slice(0, tried);
}

const idsOf = (deliveries: Delivery[]) => deliveries.map(({ delivery_id }) => delivery_id);
