import type { Clock } from "./clock.js";
import type { Figures } from "./figures.js";
import type { Random } from "./random.js";
import type { Order, Site } from "./site/site.js";

/** What everybody of a run knows. */
export interface Day {
  site: Site;
  clock: Clock;
  figures: Figures;
  /** Names the records of this run; it is in `order_origin` of its orders. */
  run: string;
  /** Whether the system plans waves and gives pickers the next one; else pickers choose. */
  planned: boolean;
  /** So many times as many customers order as on a usual day. */
  customers: number;
  random(name: string): Random;
}

/** Orders of the shop and sales of the counter say where they are from. */
export const shopOrigin = ({ run }: Pick<Day, "run">) => `web ${run}`;
export const counterOrigin = ({ run }: Pick<Day, "run">) => `counter ${run}`;

/** The first thing whose time has come. */
export function due<T extends { at: number }>(things: T[], minute: number): T | undefined {
  const place = things.findIndex(({ at }) => at <= minute);
  return place < 0 ? undefined : things.splice(place, 1)[0];
}

/** Minutes until a customer is back with the goods. */
const BACK_AFTER = { from: 120, to: 420 };

/** The minute at which goods come back; in a short run sooner, so that it sees some. */
export function backAt({ clock }: Day, random: Random): number {
  const usual = random.between(BACK_AFTER.from, BACK_AFTER.to);
  return clock.minute + Math.min(usual, ((clock.endMinute - clock.minute) * random.between(1, 9)) / 10);
}

/** The simulated minutes that an order took, where it came in during this run. */
export const minutesOf = ({ since }: Order, minute: number): number | undefined =>
  since === undefined ? undefined : minute - since;
