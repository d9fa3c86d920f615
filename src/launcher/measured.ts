import { writeFileSync } from "node:fs";
import { cpus, loadavg, release, totalmem, type } from "node:os";

/** What a program has measured, for the pages that `npm run pages` makes of it (bench/pages/). */
export interface Measured<T> {
  date: string;
  command: string;
  machine: string;
  /** How many processes wanted a processor when the program began, in the minute before: 0 on a quiet machine. */
  load_before: number;
  figures: T;
}

const LOAD_BEFORE = loadavg()[0] ?? 0;

/** Writes what a command has measured, in place of what it measured the last time. */
export function writeMeasured<T>(file: string, command: string, figures: T): void {
  const memory = Math.round(totalmem() / 2 ** 30);
  const measured: Measured<T> = {
    date: new Date().toISOString().slice(0, 10),
    command,
    machine: `${cpus().length} × ${cpus()[0]?.model}, ${memory} GB, ${type()} ${release()}, Node ${process.version}`,
    load_before: Number(LOAD_BEFORE.toFixed(1)),
    figures,
  };
  writeFileSync(file, `${JSON.stringify(measured, null, 2)}\n`);
}
