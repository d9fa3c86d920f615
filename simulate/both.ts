import { OwnService } from "./faults/own-service.js";
import { LATE_AFTER } from "./figures.js";
import type { Options } from "./options.js";
import { exitCodeOf, finalReport, table } from "./report.js";
import { type Outcome, simulate } from "./run.js";

/** The same day twice: pickers choose what they pick, and the system plans it. */

type Plan = Pick<Options, "seed" | "speed" | "hours" | "customers">;

export interface BothDays {
  chosen: Outcome;
  planned: Outcome;
}

/** Lets both days pass, one after the other, each in a service of its own. */
export async function bothDays(plan: Plan, say: (line: string) => void): Promise<BothDays> {
  say(`Seed ${plan.seed}: a day on which pickers choose.`);
  const chosen = await ownDay(plan, false);
  say(`Seed ${plan.seed}: the same day, planned by the system.`);
  return { chosen, planned: await ownDay(plan, true) };
}

async function ownDay(plan: Plan, planned: boolean): Promise<Outcome> {
  const service = await OwnService.open();
  const { url, user, password } = service;
  try {
    return await simulate({ ...plan, url, user, password, planned }, { say: () => {}, began: () => {} });
  } finally {
    await service.close();
    await service.remove();
  }
}

export const comparison = ({ chosen, planned }: BothDays): string =>
  table([["", "pickers choose", "system plans"], ...rows.map(([name, of]) => [name, of(chosen), of(planned)])]).join(
    "\n",
  );

const rows: [name: string, of: (day: Outcome) => string][] = [
  ["orders in", ({ figures }) => String(figures.of("ordersIn"))],
  ["orders shipped", ({ figures }) => String(figures.of("ordersShipped"))],
  [`orders later than ${LATE_AFTER} min`, (day) => String(lateOf(day))],
  ["from order to shipment, p50 min", ({ figures }) => minutes(figures.leadTime.percentile(50))],
  ["from order to shipment, p95 min", ({ figures }) => minutes(figures.leadTime.percentile(95))],
  ["waves", ({ figures }) => String(figures.of("waves"))],
  ["lines picked", ({ figures }) => String(figures.of("linesPicked"))],
  ["metres per line", ({ figures }) => figures.metresPerLine?.toFixed(1) ?? "unknown"],
  ["lines per picker and hour", ({ figures }) => figures.linesPerHour.toFixed(0)],
];

/** Those that were shipped late, and those that are late and still here. */
const lateOf = ({ figures, after, clock, endedAt }: Outcome) =>
  figures.of("ordersLate") +
  after.open.filter(({ since }) => ((endedAt - since) * clock.speed) / 60_000 > LATE_AFTER).length;

const minutes = (seconds: number) => (seconds / 60).toFixed(0);

/** What does not hold of either day; empty when all does. */
export const faultsOf = ({ chosen, planned }: BothDays): string[] =>
  [chosen, planned].filter((day) => exitCodeOf(day) !== 0).map(finalReport);
