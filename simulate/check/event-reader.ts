import { setTimeout as pause } from "node:timers/promises";
import type { Caller } from "../http/caller.js";
import type { Matching } from "./matching.js";
import { Sums } from "./movements.js";
import { Shipments } from "./shipments.js";
import type { Told } from "./told.js";

const LIMIT = 2000;
const EVERY_MS = 2_000;
const MOST_GAPS = 20;

/** Polls the events of the run's warehouses after a picture was taken, and sums up what they move. */
export class EventReader {
  readonly moved = new Sums();
  readonly shipments = new Shipments();
  events = 0;
  outOfOrder = 0;
  /** The first numbers that were left out; where others work too, their events are. */
  readonly gaps: string[] = [];
  #stopped = false;
  #reading: Promise<void> | undefined;

  constructor(
    readonly reader: Caller,
    private after: number,
    /** These are told of each event. */
    readonly partner?: Matching,
    readonly told?: Told,
  ) {}

  start(): void {
    this.#reading = this.#read();
  }

  /** Reads on until all events up to this one, which are readable after two seconds, have been seen. */
  async readUpTo(eventId: number): Promise<void> {
    this.#stopped = true;
    await this.#reading;
    await pause(EVERY_MS * 2);
    while (this.after < eventId && (await this.page()) > 0);
  }

  async #read(): Promise<void> {
    while (!this.#stopped) if ((await this.page()) < LIMIT) await pause(EVERY_MS);
  }

  /** Reads the next events; gives how many there were. */
  async page(): Promise<number> {
    const answer = await this.reader.get("/api/v1/events", { query: { after: this.after, limit: LIMIT } });
    if (!answer.ok) return 0;
    for (const event of answer.body.events) {
      this.events++;
      if (event.event_id <= this.after) this.outOfOrder++;
      if (event.event_id > this.after + 1 && this.gaps.length < MOST_GAPS)
        this.gaps.push(`${event.event_id} came after ${this.after}`);
      this.after = Math.max(this.after, event.event_id);
      this.partner?.await(event.event_id);
      this.told?.hear(event);
      for (const { warehouse_id, item, units } of this.shipments.movementsOf(event))
        this.moved.add(warehouse_id, item, units);
    }
    return answer.body.events.length;
  }
}
