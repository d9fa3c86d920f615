import { setMaxListeners } from "node:events";
import { setTimeout as pause } from "node:timers/promises";

/** Monday, 09:00. */
const BEGIN_MINUTE = 9 * 60;

/** Simulated time: it runs `speed` times as fast as the real one and ends after some hours, or when it is stopped. */
export class Clock {
  readonly #began = performance.now();
  readonly #stopped = new AbortController();
  readonly #endMs: number;

  constructor(
    readonly speed: number,
    readonly hours: number,
  ) {
    this.#endMs = (hours * 3_600_000) / speed;
    // Everybody waits for the end.
    setMaxListeners(0, this.#stopped.signal);
  }

  /** Real milliseconds since the beginning. */
  get realMs(): number {
    return performance.now() - this.#began;
  }

  /** Simulated minutes since the midnight before the beginning. */
  get minute(): number {
    return BEGIN_MINUTE + (this.realMs * this.speed) / 60_000;
  }

  get endMinute(): number {
    return BEGIN_MINUTE + this.hours * 60;
  }

  /** How much of the time is over, of 1. */
  get done(): number {
    return this.over ? 1 : this.realMs / this.#endMs;
  }

  get over(): boolean {
    return this.#stopped.signal.aborted || this.realMs >= this.#endMs;
  }

  stop(): void {
    this.#stopped.abort();
  }

  /** Waits so many simulated seconds; not longer than until the end. */
  seconds(seconds: number): Promise<void> {
    return this.#wait((seconds * 1000) / this.speed);
  }

  /** Waits for a simulated minute; not longer than until the end. */
  until(minute: number): Promise<void> {
    return this.#wait(((minute - this.minute) * 60_000) / this.speed);
  }

  /** Waits real milliseconds, and not longer than until the end. */
  async real(ms: number): Promise<void> {
    await this.#wait(ms);
  }

  async #wait(ms: number): Promise<void> {
    const wait = Math.min(ms, this.#endMs - this.realMs);
    if (wait <= 0 || this.over) return;
    await pause(wait, undefined, { signal: this.#stopped.signal }).catch(() => {});
  }

  /** The time of day, such as `Mon 09:30`. */
  get text(): string {
    const minute = Math.floor(Math.min(this.minute, this.endMinute));
    const day = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][Math.floor(minute / 1440) % 7];
    const two = (n: number) => String(n).padStart(2, "0");
    return `${day} ${two(Math.floor(minute / 60) % 24)}:${two(minute % 60)}`;
  }
}
