import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { stringify } from "yaml";
import { imageOf } from "./compose.js";
import { goProgram } from "./go-program.js";
import type { Sample } from "./scrape.js";

/** Prometheus 3.5.0 is v0.305.0 as a module of Go. Undefined without Go. */
export const promtool = () => {
  const [, minor, patch] = /v3\.(\d+)\.(\d+)/.exec(imageOf("prometheus")) ?? [];
  return goProgram("github.com/prometheus/prometheus", `v0.3${minor?.padStart(2, "0")}.${patch}`, "promtool");
};

/** Minutes that all is well, that a fault lasts, and until the alerts are looked at. */
const [WELL, FAULTY, LOOK_AT] = [60, 70, 110];

const counts = ({ name }: Sample) => /_(total|bucket|count|sum)$/.test(name);

/**
 * The alerts that fire when what was measured at first, and a minute later, goes on for an hour, and then what is
 * measured under a fault: counters grow each minute as they did between two measurements.
 */
export function firing(program: string, first: Sample[], later: Sample[], faulty: Sample[]): string[] {
  const keyOf = ({ name, labels }: Sample) =>
    `${name}{${Object.entries(labels)
      .map(([label, value]) => `${label}=${JSON.stringify(value)}`)
      .join(",")}}`;
  const byKey = (samples: Sample[]) => new Map(samples.map((sample) => [keyOf(sample), sample]));
  const [before, well, wrong] = [byKey(first), byKey(later), byKey(faulty)];
  const phase = (was: Sample | undefined, is: Sample | undefined, minutes: number, from = is?.value ?? 0) => {
    if (!is) return `_x${minutes - 1}`;
    const growth = counts(is) ? Math.max(0, is.value - (was?.value ?? 0)) : 0;
    return `${from}+${growth}x${minutes - 1}`;
  };
  const series = [...new Set([...well.keys(), ...wrong.keys()])].map((key) => {
    const [one, other, third] = [before.get(key), well.get(key), wrong.get(key)];
    const grown =
      other && counts(other) ? other.value + WELL * Math.max(0, other.value - (one?.value ?? 0)) : undefined;
    return { series: key, values: `${phase(one, other, WELL)} ${phase(other, third, FAULTY, grown)}` };
  });
  const path = join(mkdtempSync(join(tmpdir(), "warehouse-alerts-")), "test.yml");
  const test = {
    interval: "1m",
    input_series: series,
    promql_expr_test: [
      { expr: 'count by (alertname) (ALERTS{alertstate="firing"})', eval_time: `${LOOK_AT}m`, exp_samples: [] },
    ],
  };
  const files = { rule_files: [resolve("monitoring/alerts.yml")], evaluation_interval: "1m", tests: [test] };
  writeFileSync(path, stringify(files));
  try {
    execFileSync(program, ["test", "rules", path], { stdio: "pipe" });
    return [];
  } catch (error) {
    // None was expected: it says which there are.
    const { stdout, stderr } = error as { stdout: Buffer; stderr: Buffer };
    const names = [...`${stdout}${stderr}`.matchAll(/alertname=\\?"(\w+)\\?"/g)].map(([, name = ""]) => name);
    if (names.length === 0) throw new Error(`${stdout}${stderr}`);
    return names.sort();
  }
}
