import type { RouteRow } from "./http/measure.js";
import type { Outcome, State } from "./run.js";

/** What a run tells about itself. */

/** Lines of columns as wide as their widest cell; numbers are set to the right. */
export function table(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, i) =>
        i > 0 && /^[\d.,-]+$/.test(cell) ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
}

const ms = (value: number) => value.toFixed(value < 10 ? 1 : 0);
const indented = (lines: string[]) => lines.map((line) => `  ${line}`);

function routeLines(rows: RouteRow[]): string[] {
  return table([
    ["route", "answers", "p50 ms", "p95 ms", "max ms", "refusals"],
    ...rows.map(({ route, answers, p50, p95, max, refusals }) => [
      ...[route, String(answers), ms(p50), ms(p95), ms(max)],
      refusals.map(([code, times]) => `${code} ${times}`).join(", "),
    ]),
  ]);
}

/** How it stands: also while it runs. */
export function interimReport({ seed, clock, figures, measure, partner }: State): string {
  const hours = (clock.realMs * clock.speed) / 3_600_000;
  const megabytes = Math.round(process.memoryUsage().rss / 1_000_000);
  const { leadTime } = figures;
  const webhooks = partner && [
    `webhooks: ${partner.matching.matched} received, ${partner.late} late, ${partner.matching.duplicates} twice, ` +
      `${partner.matching.faults.length} out of order, ${partner.refused} refused in the outage; ` +
      `p50 ${ms(partner.delay.percentile(50))} ms, p95 ${ms(partner.delay.percentile(95))} ms after the event`,
  ];
  return [
    `${clock.text}, after ${Math.min(hours, clock.hours).toFixed(1)} simulated hours of seed ${seed}; ` +
      `this program has ${megabytes} MB`,
    "",
    ...indented(table(figures.named().map(([name, count]) => [name, String(count)]))),
    "",
    ...indented([
      `lines picked per picker and hour: ${figures.linesPerHour.toFixed(0)}`,
      ...(figures.metresPerLine === undefined ? [] : [`metres per line: ${figures.metresPerLine.toFixed(1)}`]),
      ...(leadTime.count > 0
        ? [
            `from order to shipment: p50 ${Math.round(leadTime.percentile(50) / 60)} min, ` +
              `p95 ${Math.round(leadTime.percentile(95) / 60)} min`,
          ]
        : []),
      ...(webhooks ?? []),
    ]),
    "",
    ...indented(routeLines(measure.rows())),
  ].join("\n");
}

export function finalReport(outcome: Outcome): string {
  const { after, clock, endedAt, invariants, measure } = outcome;
  const statuses = [...new Set(after.open.map(({ status }) => status))].sort();
  const ages = statuses.map((status) => {
    const minutes = after.open
      .filter((order) => order.status === status)
      .map(({ since }) => ((endedAt - since) * clock.speed) / 60_000)
      .sort((a, b) => a - b);
    const at = (part: number) => String(Math.round(minutes[Math.floor((minutes.length - 1) * part)] ?? 0));
    return [status, String(minutes.length), at(0.5), at(1)];
  });
  const more = measure.unexpectedCount - measure.unexpected.length;
  return [
    interimReport(outcome),
    "",
    "Open orders, and their age in simulated minutes",
    ...indented(ages.length > 0 ? table([["status", "orders", "p50", "oldest"], ...ages]) : ["none"]),
    "",
    "Invariants",
    ...invariants.flatMap(({ name, faults }) => [
      `  ${faults.length === 0 ? "holds " : "BROKEN"}  ${name}`,
      ...faults.slice(0, 10).map((fault) => `            ${fault}`),
    ]),
    "",
    `Unexpected refusals: ${measure.unexpectedCount}`,
    ...indented([...measure.unexpected, ...(more > 0 ? [`and ${more} more`] : [])]),
  ].join("\n");
}

export const exitCodeOf = ({ invariants, measure }: Outcome): 0 | 1 =>
  invariants.every(({ faults }) => faults.length === 0) && measure.unexpectedCount === 0 ? 0 : 1;
