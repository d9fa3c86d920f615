import type { Channels } from "./channels.js";
import type { Contended } from "./contention.js";
import type { Labels } from "./labels.js";
import type { ListRow } from "./lists.js";
import type { Figures } from "./measure.js";
import { rounded } from "./rounded.js";
import type { Started } from "./start.js";
import type { Sync } from "./sync.js";
import type { Webhooks } from "./webhooks.js";

/** What is measured besides the cases. */
export interface Measures {
  webhooks?: Webhooks;
  channels?: Channels;
  contention?: Contended[];
  sync?: Sync;
  labels?: Labels;
  lists?: ListRow[];
}

export interface Row {
  name: string;
  rps: number;
  p50_ms_c1: number;
  p95_ms_c1: number;
  p99_ms_c1: number;
  p50_ms_c16: number;
  p95_ms_c16: number;
  p99_ms_c16: number;
  limit_rps: number;
  ratio: number;
}

/** A case's figures under full load, at one connection, and without HTTP; a work counts as `counts`. */
export function rowOf(name: string, full: Figures, alone: Figures, limit: Figures, counts = 1): Row {
  return {
    name,
    rps: rounded(full.perSecond * counts),
    p50_ms_c1: rounded(alone.p50),
    p95_ms_c1: rounded(alone.p95),
    p99_ms_c1: rounded(alone.p99),
    p50_ms_c16: rounded(full.p50),
    p95_ms_c16: rounded(full.p95),
    p99_ms_c16: rounded(full.p99),
    limit_rps: rounded(limit.perSecond * counts),
    ratio: rounded(full.perSecond / limit.perSecond),
  };
}

const line = (name: string, cells: (string | number)[]) =>
  name.padEnd(26) + cells.map((cell) => `${cell}`.padStart(10)).join("");

/** The figures for people; times are milliseconds at 1 and at 16 connections. */
export function table(
  rows: Row[],
  started: Started | undefined,
  { webhooks, channels, contention, sync, labels, lists }: Measures,
): string {
  const lines = [
    line("", ["", "at 1", "", "", "at 16", "", "", "limit", ""]),
    line("", ["per s", "p50", "p95", "p99", "p50", "p95", "p99", "per s", "ratio"]),
  ];
  for (const { name, ...figures } of rows) lines.push(line(name, Object.values(figures)));
  if (started) {
    const { second_start_s, idle_mb } = started;
    lines.push(
      `Second start: ready after ${second_start_s} s.`,
      `Idle memory: API ${idle_mb.api} MB, worker ${idle_mb.worker} MB.`,
    );
  }
  if (webhooks) {
    const { one_per_s, ten_per_s, slow_one_per_s, end_to_end_ms, beside_slow_ms, idle_cpu, balanced_s } = webhooks;
    const { least, p50, p95 } = end_to_end_ms;
    lines.push(
      `Webhooks: ${one_per_s} deliveries/s to one subscription, ${ten_per_s} to ten.`,
      `To one that answers in 50 ms: ${slow_one_per_s.subscription}/s, by aggregate ${slow_one_per_s.aggregate}/s.`,
      `From commit to arrival: ${least} ms at least, p50 ${p50} ms, p95 ${p95} ms.`,
      `Fast partners beside slow ones: p50 ${beside_slow_ms.p50} ms, p95 ${beside_slow_ms.p95} ms.`,
      `Subscriptions without events: worker ${idle_cpu.worker}, Temporal ${idle_cpu.temporal} of a processor.`,
      `Shared out ${balanced_s.after_start} s after a worker's start, ${balanced_s.after_kill} s after its kill.`,
    );
  }
  if (channels) {
    const { end_to_end_ms, changes, within_a_second } = channels;
    const { p50, p95, most } = end_to_end_ms;
    lines.push(
      `Channels: ${channels.whole_per_s} items/s of a whole availability to one.`,
      `From commit to arrival at 1,000 items/s: p50 ${p50} ms, p95 ${p95} ms, at most ${most} ms.`,
      `Within a second: ${within_a_second} of ${changes}.`,
    );
  }
  if (contention) {
    lines.push("Contention: one item, bought until none is left; a second, and the time of a purchase in ms.");
    lines.push(line("", ["units", "sold", "left", "again", "per s", "p50", "p95", "p99"]));
    for (const { way, buyers, units, sold, left, again, sold_per_s, p50_ms, p95_ms, p99_ms } of contention)
      lines.push(line(`${way}, ${buyers} buyers`, [units, sold, left, again, sold_per_s, p50_ms, p95_ms, p99_ms]));
  }
  if (sync) {
    const { items, first_s, again_s, memory_mb } = sync;
    const { before, most, after } = memory_mb;
    lines.push(
      `Sync: ${items} new items in ${first_s} s, the same ones again in ${again_s} s.`,
      `Memory of the worker: ${before} MB before, ${most} MB at most, ${after} MB afterwards.`,
    );
  }
  if (labels) {
    const { per_s, p50_ms, p95_ms, cpu_ms } = labels;
    lines.push(
      `Labels: ${per_s}/s of a carrier that takes 200 ms for each request; p50 ${p50_ms} ms, p95 ${p95_ms} ms.`,
      `Processor time of each in ms: worker ${cpu_ms.worker}, Temporal ${cpu_ms.temporal}, API ${cpu_ms.api}, ` +
        `Postgres ${cpu_ms.postgres}, carrier ${cpu_ms.carrier}, client ${cpu_ms.client}.`,
    );
  }
  if (lists) {
    lines.push("Pages of lists, the slowest first: the first time, with the count, and again, in ms.");
    for (const { path, first_ms, ms } of lists) lines.push(`${line("", [first_ms, ms])}  ${path}`);
  }
  return lines.join("\n");
}
