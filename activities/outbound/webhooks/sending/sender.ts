import { setTimeout as pause } from "node:timers/promises";
import { type Attempted, type Retry, retryDelay, tryAgain } from "../../../../src/outbound/retry.js";
import {
  type DeliveryAttempted,
  retrySchedule,
  type SendingEnded,
  type StuckDelivery,
} from "../../../../src/outbound/sending.js";
import { messageIdOf, type Sent } from "../../../../src/outbound/webhooks/message.js";
import type { Envelope } from "../../../../src/platform/events/envelope.js";
import { log } from "../../../../src/platform/log.js";
import { Attention, type Changes, type Ends } from "../../sending/changes.js";
import { type Attempt, notSent, Rate, type Sending } from "../../sending/wire.js";
import { type Claim, claim, claimAgain, type Delivery } from "./claim.js";
import type { EventFeed } from "./event-feed.js";
import { type Destination, destinationOf, post } from "./post.js";
import { type Ended, type Failed, failDeliveries, releaseClaims, resultOf, settleNow } from "./settle.js";

/**
 * A sender claims one delivery at first, then twice as many each time, up to this maximum, and half as many where
 * sending takes long. When it is killed, so many may be sent twice.
 */
export const MAX_CLAIM = 16;
const QUICK_MS = 250;
/** In the order of aggregates, so many deliveries are under way at most; as many may be sent twice. */
const MOST_UNDER_WAY = MAX_CLAIM;
/** After this many events that the filter does not select, the row stores how far it was applied. */
const STORE_AFTER = 10_000;
const NOT_DUE_YET_MS = 50;
const STORE_AGAIN_MS = 1_000;

/** Shared by all senders of a worker. */
export interface WebhookSending extends Sending {
  feed: EventFeed;
  changes: Changes;
  /** Starts the retry workflow of what failed. */
  startRetry(retry: Retry): Promise<void>;
}

/** A delivery that failed, what became of it, and when it is tried again. */
interface FailedDelivery extends Failed {
  delivery: Delivery;
  again: Attempted<never>;
}

/**
 * Sends the events of one subscription, each as soon as it is due, or one that failed again: one after the other, or,
 * where only the order of each aggregate is kept, several at a time; or as many in one request as it may have. Used
 * only under the subscription's lock.
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
  /** What ends the waiting for the host, as long as the destination is what was read. */
  #unwanted: AbortSignal | undefined;
  /** What is sent at a time, whether some of it has ended since the last claim, and what went wrong with it. */
  readonly #underWay = new Set<Promise<void>>();
  #someEnded = false;
  #error: unknown;
  readonly #attention: Attention;

  constructor(
    readonly subscriptionId: string,
    readonly sending: WebhookSending,
    readonly ends: Ends,
  ) {
    this.#attention = new Attention(sending.changes, subscriptionId, ends);
  }

  /**
   * Sends until it is stopped or the subscription is no longer active, or, where all others wait for it, an attempt
   * fails: then gives that delivery, which has a retry schedule of its own.
   */
  async run(): Promise<StuckDelivery | undefined> {
    const stopListening = this.sending.feed.onDue(() => this.#attention.wake());
    try {
      await releaseClaims(this.subscriptionId);
      for (;;) {
        this.ends.lost.throwIfAborted();
        // What is under way goes by what was read before, also by another order.
        if (this.ends.stop.aborted || this.#attention.changed || !this.#to) await this.#allEnded();
        if (this.#error) throw this.#error;
        if (this.ends.stop.aborted || (await this.#inactive())) {
          await settleNow(this.subscriptionId, this.#ended, this.#unsent);
          return undefined;
        }
        await this.#batchFills();
        const claimed = await this.#claim();
        const { current, deliveries } = claimed;
        const [head] = deliveries;
        if (!current) this.#to = undefined;
        else if (this.#to?.ordering === "aggregate") await this.#sendBeside(claimed);
        else if (!head) await this.#idle(claimed);
        else if (head.attempt_number > 1) return this.#stuck(head);
        else {
          const failed = await this.#send(untried(deliveries));
          // Its failure may have paused the subscription.
          if (failed?.status === "active") return this.#stuck(failed.delivery);
        }
      }
    } catch (error) {
      await this.#allEnded();
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
      const { version, batch } = this.#to as Destination;
      const { claimed, ...next } = await claimAgain(stuck, version, batch?.max_events ?? 1);
      if (!claimed) return next;
      const failed = await this.#send(claimed);
      if (failed) return failed.given_up ? { ended: "dlq" } : failed.again;
      const result = this.#ended.find(({ delivery_id }) => delivery_id === claimed[0]?.delivery_id);
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
    this.#unwanted = this.#attention.unwanted(() => this.#attention.changed);
    return undefined;
  }

  async #claim(): Promise<Claim & { most: number }> {
    const { version, filter, ordering, batch } = this.#to as Destination;
    const allowed = await (this.#rate as Rate).available(this.ends.stop);
    const room = ordering === "aggregate" ? MOST_UNDER_WAY - this.#underWay.size : this.#most;
    // A batch is one delivery to the partner.
    const most = batch ? batch.max_events : Math.min(room, allowed);
    this.#someEnded = false;
    // More of them may end meanwhile.
    const [ended, unsent] = [[...this.#ended], [...this.#unsent]];
    const got = await claim({
      ...{ subscriptionId: this.subscriptionId, ended, unsent, version, ordering, filter, most },
      ...{ scanned: this.#scanned, due: this.sending.feed.due },
    });
    this.#ended.splice(0, ended.length);
    this.#unsent.splice(0, unsent.length);
    if (got.scanned !== null) this.#scanned = this.#stored = got.scanned;
    return { ...got, most };
  }

  /**
   * Sends the claimed deliveries, up to the first that fails, which it gives. Each is sent only if nothing has changed
   * when the host has a slot for it.
   */
  async #send(deliveries: Delivery[]): Promise<FailedDelivery | undefined> {
    if (this.#to?.batch) return this.#sendBatch(deliveries);
    const begun = performance.now();
    for (const [i, delivery] of deliveries.entries()) {
      const result = await this.#attempt(delivery);
      if (!result) {
        this.#unsent = idsOf(deliveries.slice(i));
        return undefined;
      }
      if (isFailure(result, delivery)) {
        const others = { before: this.#ended, unsent: idsOf(deliveries.slice(i + 1)) };
        const failed = await this.#fail([delivery], [result], others);
        this.#ended = [];
        return failed;
      }
      this.#ended.push(result);
    }
    const quick = performance.now() - begun < QUICK_MS;
    this.#most = quick ? Math.min(MAX_CLAIM, this.#most * 2) : Math.max(1, this.#most >> 1);
    return undefined;
  }

  /** Waits until a batch is full, or until the first event that is known for it has waited as long as it may. */
  async #batchFills(): Promise<void> {
    const { batch, filter } = this.#to as Destination;
    if (!batch) return;
    const { feed } = this.sending;
    const until = performance.now() + batch.max_wait_ms;
    for (;;) {
      const waiting = feed.countFor(filter, this.#scanned, batch.max_events);
      const left = until - performance.now();
      if (waiting === 0 || waiting === batch.max_events || left <= 0) return;
      if (this.#attention.changed || this.#attention.isOver) return;
      await this.#attention.wait(left);
    }
  }

  /** Sends the claimed deliveries as one request, of which all become the same. */
  async #sendBatch(deliveries: Delivery[]): Promise<FailedDelivery | undefined> {
    const present = deliveries.filter(({ event }) => event);
    this.#ended.push(...deliveries.filter(({ event }) => !event).map(gone));
    const [first, ...others] = present.map((delivery) => this.#sent(delivery));
    if (!first) return undefined;
    const attempt = await this.#post([first, ...others]);
    if (!attempt) {
      this.#unsent = idsOf(present);
      return undefined;
    }
    const results = present.map(({ delivery_id }) => resultOf(delivery_id, attempt));
    if (attempt.ok) {
      this.#ended.push(...results);
      return undefined;
    }
    const failed = await this.#fail(present, results, { before: this.#ended, unsent: [] });
    this.#ended = [];
    return failed;
  }

  /** Sends the claimed deliveries beside what is under way, and waits until more can be claimed. */
  async #sendBeside(claimed: Claim & { most: number }): Promise<void> {
    for (const delivery of claimed.deliveries) {
      const sending = this.#sendAlone(delivery)
        .catch((error) => {
          this.#error ??= error;
        })
        .finally(() => {
          this.#underWay.delete(sending);
          this.#someEnded = true;
          this.#attention.wake();
        });
      this.#underWay.add(sending);
    }
    if (claimed.deliveries.length < claimed.most || !this.#hasRoom) await this.#idle(claimed);
  }

  /** A failure holds up its own aggregate alone, by its row; this sender makes the next attempt, too. */
  async #sendAlone(delivery: Delivery): Promise<void> {
    const result = await this.#attempt(delivery);
    if (!result) this.#unsent.push(delivery.delivery_id);
    else if (isFailure(result, delivery)) {
      const { given_up, status } = await this.#fail([delivery], [result], { before: [], unsent: [] });
      if (!given_up && status === "active" && delivery.attempt_number === 1)
        void this.sending.startRetry(retrySchedule(this.#stuck(delivery)));
    } else this.#ended.push(result);
  }

  /** Makes one attempt; gives nothing where it was not wanted any more. */
  async #attempt(delivery: Delivery): Promise<Ended | undefined> {
    if (!delivery.event) return gone(delivery);
    const attempt = await this.#post([this.#sent(delivery)]);
    return attempt && resultOf(delivery.delivery_id, attempt);
  }

  #sent({ event }: Delivery): Sent {
    const known = event as Envelope;
    return { event: known, messageId: messageIdOf(this.subscriptionId, known) };
  }

  async #post(sent: [Sent, ...Sent[]]): Promise<Attempt | undefined> {
    this.#rate?.take();
    const ends = { unwanted: this.#unwanted as AbortSignal, lost: this.ends.lost };
    const attempt = await post(this.sending.wire, sent, this.#to as Destination, ends);
    this.ends.lost.throwIfAborted();
    return attempt;
  }

  /** Of deliveries that failed together: the first of them, and when they are tried again. */
  async #fail(
    deliveries: Delivery[],
    failures: Ended[],
    others: { before: Ended[]; unsent: number[] },
  ): Promise<FailedDelivery> {
    const [[delivery], [failure]] = [deliveries, failures] as [[Delivery], [Ended]];
    const { attempt_number } = delivery;
    const waitMs = retryDelay(
      attempt_number,
      this.sending.config.dispatcherRetryDelaysMs,
      Math.random(),
      failure.retry_after_ms,
    );
    const failed = await failDeliveries(this.subscriptionId, deliveries, { ...others, failures }, waitMs);
    return { ...failed, delivery, again: tryAgain(failure, attempt_number, waitMs) };
  }

  get #hasRoom(): boolean {
    return this.#underWay.size < MOST_UNDER_WAY;
  }

  /** None of it fails here: what went wrong is remembered. */
  async #allEnded(): Promise<void> {
    await Promise.all(this.#underWay);
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

  /**
   * Waits, without queries, for an event that the filter may select, if there is room for it; others are skipped. Also
   * until something under way has ended, or a retry is due.
   */
  async #idle({ scanned, full, retry_in_ms }: Claim): Promise<void> {
    if (scanned === null && !full) return void (await pause(NOT_DUE_YET_MS));
    const { feed } = this.sending;
    const { filter } = this.#to as Destination;
    const until = performance.now() + (retry_in_ms ?? Number.POSITIVE_INFINITY);
    while (!this.#attention.changed && !this.#attention.isOver && !this.#someEnded && performance.now() < until) {
      if (!full && this.#hasRoom) {
        if (feed.hasFor(filter, this.#scanned)) return;
        this.#scanned = Math.max(this.#scanned, feed.due);
        if (this.#scanned - this.#stored > STORE_AFTER) return;
      }
      await this.#attention.wait(retry_in_ms === null ? undefined : until - performance.now());
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

const gone = ({ delivery_id }: Delivery) => resultOf(delivery_id, notSent("The event is gone"));

/** What is gone is not tried again. */
const isFailure = ({ ok }: Ended, { event }: Delivery) => !ok && event !== null;

const idsOf = (deliveries: Delivery[]) => deliveries.map(({ delivery_id }) => delivery_id);
