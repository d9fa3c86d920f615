import type { Random } from "./random.js";

/** When customers order: a quiet night, a rise in the morning, a peak at noon and a higher one in the evening. */

/** Orders an hour at each full hour of a weekday; between two hours the rate goes straight from one to the other. */
const ORDERS_AT = [6, 4, 3, 3, 4, 8, 14, 24, 38, 52, 66, 84, 100, 88, 70, 62, 66, 78, 98, 112, 104, 76, 44, 18];
/** From Monday on. */
const OF_THE_WEEK = [1.1, 1, 1, 1, 1.05, 0.8, 0.7];
/** When the counter is open, and what it sells an hour. */
const COUNTER = { from: 9, to: 20, sales: 14 };

const MINUTES_A_DAY = 24 * 60;

/** Minutes of simulated time count from the midnight that begins a Monday. */
export function ordersPerHour(minute: number): number {
  const day = Math.floor(minute / MINUTES_A_DAY) % 7;
  const hour = (minute % MINUTES_A_DAY) / 60;
  const [before, after] = [ORDERS_AT[Math.floor(hour)], ORDERS_AT[(Math.floor(hour) + 1) % 24]] as [number, number];
  return (before + (after - before) * (hour % 1)) * (OF_THE_WEEK[day] as number);
}

export function salesPerHour(minute: number): number {
  const hour = (minute % MINUTES_A_DAY) / 60;
  return hour >= COUNTER.from && hour < COUNTER.to ? COUNTER.sales : 0;
}

/** The highest rate that thinning has to know. */
const MOST_PER_HOUR = Math.max(...ORDERS_AT) * Math.max(...OF_THE_WEEK);

/**
 * The minute of the next arrival of a Poisson process whose rate changes over the day: candidates come at the highest
 * rate, and each stays with the probability of the rate at its time.
 * @param customers So many times as many of them.
 */
export function nextArrival(
  minute: number,
  ratePerHour: (minute: number) => number,
  random: Random,
  customers = 1,
): number {
  for (let at = minute; ; ) {
    at += (-Math.log(1 - random.fraction()) * 60) / (MOST_PER_HOUR * customers);
    if (random.chance(ratePerHour(at) / MOST_PER_HOUR)) return at;
  }
}
