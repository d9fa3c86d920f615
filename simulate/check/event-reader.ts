import { setTimeout as pause } from "node:timers/promises";
import type { Caller } from "../http/caller.js";
import type { Matching } from "./matching.js";
import { Sums } from "./movements.js";
import { Shipments } from "./shipments.js";

const LIMIT = 2000;
const EVERY_MS = 2_000;

/** Polls the events of the run's warehouses after a picture was taken, and sums up what they move. */
export class EventReader {
  readonly moved = new Sums();
  readonly shipments = new Shipments();
  events = 0;
  outOfOrder = 0;
  #stopped = false;
  #reading: Promise<void> | undefined;

  constructor(
    readonly reader: Caller,
    private after: number,
    /** Is told of each event. */
    readonly partner?: Matching,
  ) {}

  start(): void {
    this.#reading = this.#read();
  }

  /** Reads on until all events up to this one, which are readable after two seconds, have been seen. */
  async readUpTo(eventId: number): Promise<void> {
    this.#stopped = true;
    await this.#reading;
    await pause(EVERY_MS * 2);
    while (this.after < eventId && (await this.#page()) > 0);
  }

  async #read(): Promise<void> {
    while (!this.#stopped) if ((await this.#page()) < LIMIT) await pause(EVERY_MS);
  }

  async #page(): Promise<number> {
    const answer = await this.reader.get("/api/v1/events", { query: { after: this.after, limit: LIMIT } });
    if (!answer.ok) return 0;
    for (const event of answer.body.events) {
      this.events++;
      if (event.event_id <= this.after) this.outOfOrder++;
      this.after = Math.max(this.after, event.event_id);
      this.partner?.await(event.event_id);
      for (const { warehouse_id, item, units } of this.shipments.movementsOf(event))
        this.moved.add(warehouse_id, item, units);
    }
    return answer.body.events.length;
  }
}
