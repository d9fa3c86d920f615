import { setTimeout as pause } from "node:timers/promises";
import {
  type Claim,
  claim,
  type Delivery,
} from "../../activities/webhooks/claim.js";
import { failDelivery } from "../../activities/webhooks/fail.js";
import {
  type Ended,
  note,
  takeOver,
} from "../../activities/webhooks/settle.js";
import {
  retryDelay,
  type StuckDelivery,
  type Turn,
} from "../../src/webhooks/delivery.js";
import type { Changes, Watch } from "./changes.js";
import { type Destination, destinationOf } from "./destination.js";
import type { EventFeed } from "./event-feed.js";
import { eventGone, hasEvent, type Post } from "./post.js";
import { Rate } from "./rate.js";

/**
 * A sender takes one delivery at first and then twice as many each time, up to this: so many at most are sent again when it is killed.
 * Where that takes longer than a moment, it takes fewer.
 */
export const MOST_AT_ONCE = 16;
const MOMENT_MS = 100;
/** How many events a subscription may not want before that is noted. */
const NOTE_AFTER = 10_000;
const NOT_DUE_YET_MS = 50;

/** What all senders of a worker share. */
export interface Sending {
  encryptionKey: string;
  retryDelaysMs: readonly number[];
  feed: EventFeed;
  changes: Changes;
  post: Post;
}

/** Sends the events of one subscription in order, each as soon as it is due. Whoever uses it holds the subscription's lock. */
export class Sender {
  #to: Destination | undefined;
  #rate: Rate | undefined;
  /** How far events were held against the filter: here, and in the subscription's row. */
  #scanned = 0;
  #noted = 0;
  #most = 1;
  /** What was sent, and what was taken and not sent: noted with the next claim. */
  #ended: Ended[] = [];
  #unsent: number[] = [];
  readonly #watch: Watch;
  readonly #unhear: () => void;
  readonly #done = new AbortController();
  #wake: () => void = () => {};

  constructor(
    readonly subscriptionId: string,
    readonly sending: Sending,
    /** The worker stops, or the turn was long enough. */
    readonly stop: AbortSignal,
    /** The lock is not held any more: another one may be sending. */
    readonly lost: AbortSignal,
  ) {
    const wake = () => this.#wake();
    const { signal } = this.#done;
    this.#watch = sending.changes.watch(subscriptionId, wake);
    this.#unhear = sending.feed.onDue(wake);
    for (const end of [stop, lost])
      end.addEventListener("abort", wake, { signal });
  }

  /** Sends until something fails, or nothing more is to be sent, or it is stopped. */
  async turn(): Promise<Turn> {
    try {
      await takeOver(this.subscriptionId);
      for (;;) {
        this.lost.throwIfAborted();
        if (this.stop.aborted) return await this.#leave({});
        if (this.#watch.told || !this.#to) {
          const ended = await this.#look();
          if (ended) return await this.#leave({ ended });
        }
        const { current, deliveries, scanned } = await this.#claim();
        const [head] = deliveries;
        if (!current) this.#to = undefined;
        else if (!head) await this.#idle(scanned !== null);
        else if (head.attempt_number > 1) return { stuck: this.#stuck(head) };
        else {
          const turn = await this.#send(deliveries);
          if (turn) return turn;
        }
      }
    } finally {
      this.#watch.end();
      this.#unhear();
      this.#done.abort();
    }
  }

  async #look(): Promise<Turn["ended"]> {
    this.#watch.told = false;
    const { encryptionKey } = this.sending;
    const found = await destinationOf(this.subscriptionId, encryptionKey);
    if (typeof found === "string") return found;
    this.#to = found;
    this.#rate ??= new Rate(found.perSecond);
    this.#rate.perSecond = found.perSecond;
    // The row knows: another filter begins anew.
    this.#scanned = 0;
    return undefined;
  }

  async #claim(): Promise<Claim> {
    const { version, filter } = this.#to as Destination;
    const allowed = await (this.#rate as Rate).available(this.stop);
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
    if (got.scanned !== null) this.#scanned = this.#noted = got.scanned;
    return got;
  }

  /** Sends what was taken; gives an end to the turn when one failed. */
  async #send(deliveries: Delivery[]): Promise<Turn | undefined> {
    const begun = performance.now();
    for (const [i, delivery] of deliveries.entries()) {
      if (i > 0 && (this.#watch.told || this.stop.aborted)) {
        this.#unsent = idsOf(deliveries.slice(i));
        return undefined;
      }
      this.#rate?.take();
      const ended = hasEvent(delivery)
        ? await this.sending.post(delivery, this.#to as Destination, this.lost)
        : eventGone(delivery);
      this.lost.throwIfAborted();
      if (ended.status === "failed" && hasEvent(delivery))
        return this.#fail(delivery, ended, idsOf(deliveries.slice(i + 1)));
      this.#ended.push(ended);
    }
    const quick = performance.now() - begun < MOMENT_MS;
    this.#most = quick
      ? Math.min(MOST_AT_ONCE, this.#most * 2)
      : Math.max(1, this.#most >> 1);
    return undefined;
  }

  async #fail(delivery: Delivery, failure: Ended, unsent: number[]) {
    const { status } = await failDelivery(
      this.subscriptionId,
      delivery,
      { before: this.#ended, failure, unsent },
      retryDelay(1, this.sending.retryDelaysMs, Math.random()),
    );
    return status === "active"
      ? { stuck: this.#stuck(delivery) }
      : { ended: status };
  }

  /** Waits for an event that may be wanted, without asking the database; what nobody wants is passed over. */
  async #idle(all: boolean): Promise<void> {
    if (!all) return void (await pause(NOT_DUE_YET_MS));
    const { feed } = this.sending;
    const { filter } = this.#to as Destination;
    const over = () =>
      this.#watch.told || this.stop.aborted || this.lost.aborted;
    while (!over() && !feed.hasFor(filter, this.#scanned)) {
      this.#scanned = Math.max(this.#scanned, feed.due);
      if (this.#scanned - this.#noted > NOTE_AFTER) return;
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
  }

  async #leave(turn: Turn): Promise<Turn> {
    await note(this.subscriptionId, this.#ended, this.#unsent);
    return turn;
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

const idsOf = (deliveries: Delivery[]) =>
  deliveries.map(({ delivery_id }) => delivery_id);
